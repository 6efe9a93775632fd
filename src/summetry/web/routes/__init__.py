"""The pages: a file for each group of them."""
