"""The rules of Qwixx, clause by clause, and a record for every way to end."""
