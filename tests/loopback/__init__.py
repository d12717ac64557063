"""A model server of our own on 127.0.0.1: real HTTP, replies made from the schema that was sent."""
