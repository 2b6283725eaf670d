"""Exercise: a bug hunt, what the loss is divided by: edit ``hunt_loss_denominator.py``."""
