"""What people and programs meet: pages, REST, command line and files."""
