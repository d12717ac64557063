"""What each command does. A module is imported only when its command is given."""
