"""How fast it runs and what it needs: step time, memory, layouts."""
