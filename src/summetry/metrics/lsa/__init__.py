"""Evaluation by latent semantic analysis: main topic and term significance, all weightings."""
