"""Every input of a scenario changes a figure, or is listed with the reason why it changes none."""
