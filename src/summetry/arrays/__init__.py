"""Numbers in arrays: token tables, n-grams, sequences, matrices. Nothing here reads a text."""
