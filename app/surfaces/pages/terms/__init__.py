"""The terms that pages use, explained: on a page of their own, and on each view that shows them."""
