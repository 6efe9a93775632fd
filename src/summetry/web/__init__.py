"""The web page on which people make references: ``summetry serve``."""
