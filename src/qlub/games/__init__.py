"""The games, one folder each, found by scanning. They never import each other."""
