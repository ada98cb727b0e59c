"""Whether a model fits a board, said before the board is at hand."""
