"""A model's rules -> one readable source text -> compiled kernels, cached by content."""
