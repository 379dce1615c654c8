"""On what terms a pod is bought, paid for or rented, and what that comes to."""
