"""What a clip of sound is, for all that make or read one."""

RATE = 8000  # samples a second
SAMPLES = 8000  # in a clip: one second
NAMES = ("nothing", "go", "stop", "left", "right")
