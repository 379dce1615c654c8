"""Several jobs on one fabric, and what a job puts on its links."""
