"""What people see of a review: tables of words, and a page with charts."""
