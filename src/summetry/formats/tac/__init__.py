"""The files of TAC: documents, summaries, tables of judgments."""
