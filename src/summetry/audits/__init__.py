"""Can a metric, or a judge, see that a text was made worse? Perturbations and what they show."""
