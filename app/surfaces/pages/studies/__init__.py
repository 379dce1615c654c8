"""Studies in the browser: the question, the board, the review, and what is saved of them."""
