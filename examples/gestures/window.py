"""What a window of motion is, for all that make or read one."""

RATE = 50  # samples a second
SAMPLES = 100  # in a window: two seconds
AXES = 3
NAMES = ("still", "shake", "circle", "tap")
