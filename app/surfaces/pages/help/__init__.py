"""The documents of docs/ inside the product: listed, rendered, searched, and linked from the tabs of a
design."""
