"""Tables in, findings out: which metric follows what people say."""
