"""Keystone Roundtable: from a stuck question to one direction, with what it rests on."""

__version__ = "0.1.0"
