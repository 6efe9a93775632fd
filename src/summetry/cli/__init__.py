"""The command ``summetry``: one file a command, each parses, calls and prints."""
