"""A board in place of a real one, and what deploying takes."""
