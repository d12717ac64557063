"""How fast and how large: ratios to what the machine does anyway."""
