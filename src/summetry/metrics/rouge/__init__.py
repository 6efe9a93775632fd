"""ROUGE-N, -L, -W, -S and -SU, with the words, stems and averages of the original programs."""
