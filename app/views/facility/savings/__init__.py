"""Energy what-if: from an air-cooled baseline of the same job, step by step."""
