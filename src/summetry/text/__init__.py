"""Strings in; sentences, words, ids and vectors out. Nothing here knows what a summary is."""
