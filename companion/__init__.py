"""The Transformer written out: small, tested PyTorch parts."""
