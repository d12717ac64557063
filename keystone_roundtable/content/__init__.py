"""Finds, validates and renders modes, roles and templates: the shipped ones, then the user's."""
