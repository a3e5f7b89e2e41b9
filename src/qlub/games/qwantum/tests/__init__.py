"""The rules of Qwantum, clause by clause, and a record for every way to end."""
