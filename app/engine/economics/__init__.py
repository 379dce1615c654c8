"""What a pod costs to own, what a run costs against renting, and its carbon."""
