"""A report: one HTML file with the verdict, the numbers, the pictures and the texts."""
