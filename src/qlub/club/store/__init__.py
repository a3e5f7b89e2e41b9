"""Where the club keeps its logs: SQLite or PostgreSQL, through one and the same code."""
