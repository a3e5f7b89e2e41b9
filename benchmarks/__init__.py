"""Measures speed."""
