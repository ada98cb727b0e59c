"""What a sample of motion is, for all that make or read one."""

RATE = 10  # samples a second
AXES = 6  # acceleration along x, y and z, then rotation about them
UNIT = 100  # recordings.safetensors has hundredths
NAMES = ("standing", "running", "walking", "badminton")
