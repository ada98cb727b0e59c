"""Programs made by hand, word for word, to be spoilt before they are put together. It runs anywhere.

The file is a Burnpack whose only tensors are the program and one with all weights.
"""

import struct

from burnpack.tensor import Tensor
from burnpack.writer import Writer

SPARE = 4


class Program:
    """What makes the file.

    arena: bytes. inputs, outputs: lists of ends, see `end`. steps: lists [kernel, body], in which a pair
    ("weight" or "constant", NAME) stands for where that lies. weights, constants: {name: bytes}.
    head: words of the header to put in place of the right ones, by their place. last: bytes behind all.
    """

    def __init__(self, arena, inputs, outputs):
        self.arena = arena
        self.inputs = inputs
        self.outputs = outputs
        self.steps = []
        self.weights = {}
        self.constants = {}
        self.head = {}
        self.names = None

    def step(self, kernel, *body):
        self.steps.append([kernel, list(body)])

    def to_bytes(self):
        """Return the file."""
        program, weights = self.parts()
        tensors = [Tensor("burnrt.program", "I32", (len(program) // 4,), program)]
        if weights:
            tensors.append(Tensor("all.weights", "U8", (len(weights),), weights))
        return Writer(tensors, [("burnrt.version", "1")]).to_bytes()

    def parts(self):
        """Return the bytes of the program, and those of the weights behind it."""
        names = self.names or self._names()
        text = " ".join(names).encode()
        text += b" " * (-len(text) % 4)
        ends = [word for end in self.inputs + self.outputs for word in end]
        first = 32 + len(text) + 4 * len(ends) + 4 * sum([2 + len(body) for _, body in self.steps])
        places = {}
        constants, weights = b"", b""
        for name in sorted(self.constants):
            places["constant", name] = first + len(constants)
            constants += self.constants[name] + bytes(-len(self.constants[name]) % 4)
        size = first + len(constants)
        for name in sorted(self.weights):
            places["weight", name] = (size + 255) // 256 * 256 + len(weights)
            weights += self.weights[name] + bytes(SPARE)
        used = [self.weights[word[1]] for _, body in self.steps for word in body if is_weight(word)]
        copied = sum([(len(data) + SPARE + 3) // 4 * 4 for data in used])
        counts = [len(self.inputs), len(self.outputs), len(self.steps), len(text) // 4]
        words = [0x31545242, size, self.arena, copied] + counts
        for place in self.head:
            words[place] = self.head[place]
        steps = []
        for kernel, body in self.steps:
            found = [places[word] if isinstance(word, tuple) else word for word in body]
            steps += [names.index(kernel) if kernel in names else kernel, len(body)] + found
        return packed(words) + text + packed(ends + steps) + constants, weights

    def _names(self):
        names = []
        for kernel, _ in self.steps:
            if kernel not in names:
                names.append(kernel)
        names += ["log_softmax"] * any(end[4] for end in self.outputs)
        return names or [" "]


def is_weight(word):
    return isinstance(word, tuple) and word[0] == "weight"


def end(shape, at, scale=None, zero=0, last=0, width=1):
    """Return the words of an input or output."""
    bits = struct.unpack("<i", struct.pack("<f", scale or 0.0))[0]
    return [0 if scale is None else width, at, bits, zero, last, len(shape)] + list(shape)


def packed(words):
    """Return words as bytes."""
    data = bytearray(4 * len(words))
    for place, word in enumerate(words):
        struct.pack_into("<i", data, 4 * place, word)
    return bytes(data)
