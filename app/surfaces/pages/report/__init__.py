"""Reports of a design or a study: pages made for paper, as HTML and as PDF."""
