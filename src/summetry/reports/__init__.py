"""Findings for people: tables on a terminal, explanations in words."""
