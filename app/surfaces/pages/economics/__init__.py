"""Pages of a design's money, carbon and uncertainty."""
