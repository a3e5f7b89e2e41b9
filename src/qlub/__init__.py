"""Qlub: a club house for Qwixx, Qwantum and Qwirkle."""

__version__ = "0.1.0"
