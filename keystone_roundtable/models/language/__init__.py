"""A language model behind the roles: what is asked of it, how, and what code makes of the reply."""
