"""A naive, slow second opinion of the rules of all three games, written from the clauses alone."""
