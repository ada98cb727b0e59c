INPUT: int
OUTPUT: int
LOW: int
HIGH: int
ZERO: int
RESCALE: int
ROWS: int
INPUTS: int
OUTPUTS: int
WORK: int
PAD: int
CHANNELS: int
HEIGHT: int
WIDTH: int
OUT_HEIGHT: int
OUT_WIDTH: int
KERNEL: int
STRIDE: int
PADDING: int
DILATION: int
GROUPS: int
OUT_CHANNELS: int
CELLS: int
SIZE: int
COUNT: int
OTHER: int
FIRST_FACTOR: int
SECOND_FACTOR: int
BIAS: int
SHIFT: int

LENGTHS: dict[str, int]

def work_size(channels: int, kernel_height: int, kernel_width: int) -> int: ...
