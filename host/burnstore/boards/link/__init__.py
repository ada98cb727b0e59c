"""A board at the end of a cable: looking at it, and bringing it a model whole."""
