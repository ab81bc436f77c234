"""The doctor: what is installed, the machine, a self-test, and speeds beside the expected ones."""
