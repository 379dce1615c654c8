"""Pages of working together: comments, mentions, and what open pages ask when others have saved."""
