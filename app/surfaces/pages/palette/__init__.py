"""What the command palette finds: pages, designs, figures, parts of the catalog, documents and terms."""
