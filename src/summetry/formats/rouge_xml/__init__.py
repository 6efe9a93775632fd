"""ROUGE's settings XML with SEE, SPL and ISI texts."""
