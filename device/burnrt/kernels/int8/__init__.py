"""Kernels on integers, from the fastest set that runs here: chosen as `burnrt.kernels` are.

A set is a module of this package with some of the functions, or all; "plain" has all and comes last:

    linear, linear4, conv2d, depthwise2d, max_pool2d, avg_pool2d, add, lookup, softmax, copy, fill,
    add_strided, multiply_strided, masked_softmax, matmul, embedding, normalize, lookup_each, gru, lstm, rnn,
    resample, wide_conv2d, wide_add, wide_multiply, wide_lookup, narrow

Each is called with the same four things, in machine code and viper with their addresses, and allocates
nothing:

    arena      a writable buffer, aligned to 4: all numbers that flow, as unsigned bytes, a batch of one.
               A number q of a layer stands for scale × (q - zero point).
    weight     bytes, at any address: of linear (outputs, inputs) int8, of conv2d and depthwise2d (outputs,
               channels / groups, kernel height, kernel width) int8; of linear4, at a multiple of 4,
               (outputs, inputs) of 4 bits, eight to a word with the first in its lowest bits, each output's
               in whole words; of lookup 256 bytes, and of lookup_each as many for each table; of copy 256, or
               what it copies; of what is broadcast with KEPT the second; of embedding
               (entries, numbers of one) int8; of masked_softmax bits, a byte for 8 numbers of a row, the
               first in the lowest; else anything.
               Of int8 weights at least 3 bytes more can be read behind the last.
    constants  32-bit words (see `memory.words`): of linear, linear4, conv2d, depthwise2d and avg_pool2d a
               bias for each output channel (avg_pool2d: for each cell), then from word RESCALE on a rescaling
               word for each; of softmax and masked_softmax the 256 powers; of normalize a gain and an offset
               in turn, for each channel, or for each place of a row; of resample a bias, at word RESCALE a
               rescaling word, and behind it what each row and then each column of the output is made of: as
               many words as KERNEL says, each (its number << 9) + its weight.
    words      32-bit words: the step's row, see `burnrt.words`.

What each computes, all in integers, exactly, on every chip (the set "numpy" is the definition):

    rescaled(sum, word) = (t × m + 2^(b - 1)) >> b   m = word & 0xFFFF, at most 2^14 - 1
                          a = word >> 16 & 31, b = word >> 24 (1 to 30)
                          t = sum >> a, cut to -32768..32767
    out(sum, word)      = ZERO + rescaled(sum, word), cut to LOW..HIGH

    linear              out(bias + Σ weight × x, word), row by row
    linear4             the same, place by place: of a row of numbers, or of the same number of all planes
    conv2d              the same over each window; a place in the padding counts as PAD
    max_pool2d          the largest in each window; padding does not count
    avg_pool2d          out(bias + Σ x, word) over what of a window lies inside; bias and word of number 0,
                        or, where CELLS is not 1, of the window's place in the plane
    add                 (x × FIRST_FACTOR + y × SECOND_FACTOR + BIAS) >> SHIFT, cut to LOW..HIGH
    lookup              weight[x]
    lookup_each         the same of COUNT numbers after the other, each with a table of its own
    add_strided         the same as add, of numbers that are broadcast: see `burnrt.words`
    multiply_strided    ((x - FIRST_ZERO) × (y - SECOND_ZERO) × FACTOR + BIAS) >> SHIFT, cut to LOW..HIGH, of
                        such numbers
    normalize           of each row (z × gain + offset) >> SHIFT, cut to LOW..HIGH: z is the distance from the
                        row's mean, or from CENTER, × 2^14.5 / √(sum of the squares of all distances)
    softmax             of each row: e = powers[largest - x]; min(255, (e × 256 + Σe // 2) // Σe)
    masked_softmax      the same over what the mask shows, by bits that are 1; what it hides becomes 0
    copy                x or, where SOURCE is 1, weight[x], from every place that FIRST and STEPS lead to, to
                        that which INTO and OUT_STEPS lead to
    fill                PAD
    matmul              out(Σ (x - PAD) × w, RESCALING), w = y - 128, or where OTHER_ZERO is another number
                        min(127, (y - OTHER_ZERO + 1) >> 1)
    resample            out(bias + Σ weight of row × weight of column × x, word) over the rows and columns
                        that each number is made of; weights are parts of 256
    embedding           w + 128 of each number w of the entry x of the weight, or of the last one there is;
                        where WIDE is 1, x has 16 bits, the lower byte first
    gru, lstm, rnn      time steps, see below
    wide_...            the same of values of 16 bits, see below

Of gru, lstm and rnn (words: `burnrt.recurrent_words`), s are the sums of a time step, as linear makes them
of the row [x | h] or a part of it, with ZERO 128. The table's word T of a sum's byte has tanh(s) + 1 in its
upper 16 bits, and in its lower 12 σ(s), both × 4096; to the latter its uppermost bit is added once more.
tanh(p) lies between the table's words, at p in 1/256 of a word from word 128 on.

    gru     r, z = σ(s1); n = tanh((s2 × OF_INPUT + (r × s3 >> 4) × OF_HIDDEN) >> SHIFT)
            n = (n × OF_NEW + 512) >> 10; h = n + ((z × (h - n) + 2048) >> 12), in 16 bits
    lstm    i, f, o = σ(s1), g = tanh(s1), in this order
            c = ((f × c + 2048) >> 12) + (((i × g >> 10) × OF_PRODUCT + 8192) >> 14), in 16 bits
            h = ZERO + ((o × tanh(c × OF_CELL >> CELL_SHIFT) >> 9) × OF_ANSWER + 2^19 >> 20)
    rnn     h = T

Of wide_conv2d, wide_add, wide_multiply and wide_lookup (words: `burnrt.wide_words`) numbers that come in and
go out have 16 bits, unsigned, the lower byte first. Products are cut to LOW..HIGH as above, and wide_rescaled
differs in that m has 16 bits, t is cut to -2^20..2^20 - 1, and the result is ((t × m >> 8) + 2^(b - 1)) >> b.

    wide_conv2d         as conv2d, of min(x, SUMS_MOST), by wide_rescaled
    wide_add            as add_strided
    wide_multiply       wide_rescaled((x - FIRST_ZERO) × (y - SECOND_ZERO) >> 3, RESCALING) + PAIRS_ZERO
    wide_lookup         of d = min(x, MOST) - MIDDLE, or below 0 of -d from entry TURN on: entry i + ((entry
                        i + 1 - entry i) × p + 2^(s - 1) >> s), s the least from SKIPPED on for which d >> s
                        has BITS + 1 bits at most, p the lower s bits of d, and i = ((s - SKIPPED) << BITS) +
                        (d >> s); its weight is the entries, of 16 bits each
    narrow              (x × NARROW_FACTOR + NARROW_BIAS) >> NARROW_SHIFT, cut to LOW..HIGH: a byte

What is kept in 16 bits is cut to 0..65535, its zero point being ZERO (or CELL_ZERO) × 256 + 128; products and
what goes out have its upper byte.

No sum, nor a part of one, passes 2^30. INPUT and OUTPUT may be one place for add, lookup, lookup_each,
and for add_strided and multiply_strided where as much comes in as goes out.
"""

from burnrt.kernels.choice import Choice

SETS = ("numpy", "thumb_dsp", "thumb_m3", "thumb_m0", "viper", "plain")

_choice = Choice(globals(), SETS)
use = _choice.use
in_use = _choice.in_use
home = _choice.home


def __getattr__(name):
    return _choice.find(name)
