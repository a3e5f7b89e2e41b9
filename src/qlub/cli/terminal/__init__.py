"""Playing in the terminal: seats, screens, saving, and the host who leads through a game."""
