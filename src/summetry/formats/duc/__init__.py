"""The files of DUC 2002."""
