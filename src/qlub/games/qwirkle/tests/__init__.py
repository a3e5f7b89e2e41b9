"""The rules of Qwirkle, clause by clause, and a record for every way to end."""
