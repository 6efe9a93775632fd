"""Accuracy on networks of extracts: Accy, NrstAccy, SumACCY, WSumACCY and n-gram precision."""
