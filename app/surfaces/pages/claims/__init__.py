"""The claims pages: claims checked."""
