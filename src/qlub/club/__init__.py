"""The club: the server on which people and bots play, built on logs that survive anything."""
