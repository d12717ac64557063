"""`room`: what can be typed, who is asked, what is written, what is shown."""
