"""The session machine: plain functions over plain data, without clock, random, file or process."""
