"""The parts of `doctor`."""
