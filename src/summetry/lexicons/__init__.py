"""Thesauri that others publish: reading them, an index of their words, fetching them."""
