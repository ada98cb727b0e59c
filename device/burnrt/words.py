"""The words of a step: what a kernel is told, as 32-bit numbers at fixed places.

A quantized model is a list of steps. Each has a row of words in the file, and a kernel reads them where
they lie. Offsets are bytes from the arena's start and, but of copy and fill, multiples of 4; extents are
numbers of elements.

    place  word                     of
    0      INPUT                    all: offset of the numbers that come in
    1      OUTPUT                   all: offset of those that go out
    2      LOW                      all that add or multiply, but softmax: the least number that goes out
    3      HIGH                     the same: the largest
    4      ZERO                     the zero point of the numbers that go out
    5      RESCALE                  where the rescaling words begin in the constants, in words
    6-8    ROWS INPUTS OUTPUTS      linear
    6      WORK                     conv2d: offset of work_size() bytes that it may use
    7      PAD                      conv2d, depthwise2d: the number that stands for padding
    8-12   CHANNELS HEIGHT WIDTH OUT_HEIGHT OUT_WIDTH
    13-20  KERNEL STRIDE PADDING DILATION, of each first the vertical, then the horizontal
    21-22  GROUPS OUT_CHANNELS      conv2d; CHANNELS and OUT_CHANNELS are those of one group
    23     PAIRS                    conv2d: how many pairs of windows it may keep in WORK
    21     CELLS                    avg_pool2d: 1, or OUT_HEIGHT × OUT_WIDTH

    6      WORK                     resample: offset of 4 × WIDTH bytes that it may use
    8-12   CHANNELS HEIGHT WIDTH OUT_HEIGHT OUT_WIDTH
    13-14  KERNEL                   resample: of how many rows, and of how many columns, each number is made

    6      WORK                     linear4: offset of packed_work() bytes that it may use
    7-9    INPUTS OUTPUTS PLACES    linear4
    10     PLANAR                   linear4: 0 where the numbers of a place lie in a row, 1 where each is in a
                                    plane of its own

    6-7    ROWS SIZE                softmax, along rows
    6      COUNT                    lookup, add
    5      OTHER                    add: offset of the second numbers
    7-10   FIRST_FACTOR SECOND_FACTOR BIAS SHIFT    add, add_strided

    6      COUNT                    add_strided, multiply_strided: numbers in a row
    7-8    FIRST_ZERO SECOND_ZERO   multiply_strided: zero points of the numbers that come in
    9-10   BIAS SHIFT               multiply_strided
    11-12  PLANES LINES             add_strided, multiply_strided: rows, two extents of them
    13-14  FIRST_STEPS              the same: from plane to plane and from row to row at INPUT
    15-17  SECOND_STEPS             the same at OTHER, and from number to number, 0 or 1
    18     KEPT                     the same: 1 where the second numbers are the weight's, not the arena's
    19     FACTOR                   multiply_strided

    6-7    COUNT TABLES             lookup_each: numbers that a table is for, and tables
    5      CENTER                   normalize: the number that distances are from, or 256: the row's mean
    6-9    ROWS SIZE INNER NEXT     normalize: rows, gains in a row, numbers that have one, and gains from a
                                    row to the next, 0 or SIZE
    10-13  SHIFT MEAN_BITS VARIANCE_BITS EPSILON    normalize: the bits that go off in the end; those that the
                                    mean and the squares have behind the point; what is added to these

    6-7    COUNT PAD                fill: how many, and the number that they are
    5      SOURCE                   copy: 0 the arena, 1 the same by way of the table, 2 the weight
    6      FIRST                    copy: from INPUT, or from the weight's start, to the first number
    7-8    INTO FILLED              copy: where it goes, from OUTPUT on, and the bytes that lie there in all
    9-13   EXTENTS                  copy: of each dimension, the outermost first
    14-23  STEPS OUT_STEPS          copy: of each from one number to the next, where it comes from and goes

    5      OTHER                    matmul: offset of the second matrices
    6      WORK                     matmul: offset of product_size() bytes that it may use
    7-8    PAD OTHER_ZERO           matmul: the zero points of the first numbers and of the second
    9      RESCALING                matmul: the rescaling word
    10     STEP                     matmul: bytes from a first matrix to the next
    11     MATRICES                 matmul: how many products
    12-14  LINES TERMS COLUMNS      matmul: of (LINES, TERMS) and (TERMS, COLUMNS)
    15     OTHER_STEP               matmul: bytes from a second matrix to the next
    16-17  DOWN ACROSS              matmul: the same in it from row to row, and from column to column
    8      PERIOD                   masked_softmax: how many rows the mask has
    5      WIDE                     embedding: 1 where an index has 16 bits, the lower byte first
    6-8    COUNT SIZE ENTRIES       embedding: indices, numbers of an entry of the table, and its entries
    5-46                            gru, lstm, rnn: see `burnrt.recurrent_words`
    5-26                            wide_conv2d, wide_add, wide_multiply, wide_lookup, narrow: see
                                    `burnrt.wide_words`

Windows (8-20) are of conv2d, depthwise2d, max_pool2d and avg_pool2d; CHANNELS are all but in conv2d.
"""

from burnpack.compat import const

INPUT = const(0)
OUTPUT = const(1)
LOW = const(2)
HIGH = const(3)
ZERO = const(4)
RESCALE = const(5)

ROWS = const(6)
INPUTS = const(7)
OUTPUTS = const(8)
PLACES = const(9)
PLANAR = const(10)

WORK = const(6)
PAD = const(7)
CHANNELS = const(8)
HEIGHT = const(9)
WIDTH = const(10)
OUT_HEIGHT = const(11)
OUT_WIDTH = const(12)
KERNEL = const(13)
STRIDE = const(15)
PADDING = const(17)
DILATION = const(19)
GROUPS = const(21)
OUT_CHANNELS = const(22)
PAIRS = const(23)
CELLS = const(21)

SIZE = const(7)
COUNT = const(6)
OTHER = const(5)
FIRST_FACTOR = const(7)
SECOND_FACTOR = const(8)
BIAS = const(9)
SHIFT = const(10)

SOURCE = const(5)
FIRST = const(6)
INTO = const(7)
FILLED = const(8)
EXTENTS = const(9)
STEPS = const(14)
OUT_STEPS = const(19)
DIMENSIONS = const(5)  # of copy

OTHER_ZERO = const(8)
RESCALING = const(9)
STEP = const(10)
MATRICES = const(11)
LINES = const(12)
TERMS = const(13)
COLUMNS = const(14)
OTHER_STEP = const(15)
DOWN = const(16)
ACROSS = const(17)

PERIOD = const(8)
WIDE = const(5)
ENTRIES = const(8)

FIRST_ZERO = const(7)
SECOND_ZERO = const(8)
PLANES = const(11)
FIRST_STEPS = const(13)
SECOND_STEPS = const(15)
KEPT = const(18)
FACTOR = const(19)

TABLES = const(7)

TAP_BITS = const(9)  # of what resample is made of: the weight's, below the row's or column's number

CENTER = const(5)
INNER = const(8)
NEXT = const(9)
MEAN_BITS = const(11)
VARIANCE_BITS = const(12)
EPSILON = const(13)
OWN_MEAN = const(256)  # for CENTER


def work_size(channels: int, kernel_height: int, kernel_width: int, pairs: int) -> int:
    """Return the bytes that conv2d may use: for the weights of an output and 2 × pairs windows in 16 bits."""
    return (2 + 4 * pairs) * ((channels * kernel_height * kernel_width + 3) // 4 * 4)


def packed_size(inputs: int) -> int:
    """Return the bytes of the weights of 4 bits of one output of linear4: whole words of eight."""
    return (inputs + 7) // 8 * 4


def packed_work(inputs: int) -> int:
    """Return the bytes that linear4 may use: for the numbers of a place, in 16 bits each."""
    return 4 * packed_size(inputs)


def product_size(inner: int, columns: int) -> int:
    """Return the bytes that matmul may use: for what a dense layer of `columns` outputs is told and reads."""
    return (43 + 8 * columns + inner * columns) // 4 * 4
