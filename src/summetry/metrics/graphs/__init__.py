"""N-gram graphs: AutoSummENG, MeMoG, NPowER and the hierarchical HPG."""
