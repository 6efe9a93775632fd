"""Drop-ins for the users of other programs, each a thin translation."""
