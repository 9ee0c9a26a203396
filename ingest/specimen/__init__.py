"""The specimen: a self-made image suite and local systems, to try the whole house on one machine."""
