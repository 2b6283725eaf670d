"""Small complete programs made of the package's parts; each fits on a screen and a half."""
