"""Answer with a model's program, on any interpreter, and print how far the answers are off.

    answers.py MODEL.bpk CASES.bin

CASES.bin: a count of cases, then of each its inputs and the outputs that are wanted: all numbers as float32,
in the order of the model's inputs and outputs. For each case a line has the largest deviation, as a part of
the largest number of that output.
"""

import sys
from array import array

from burnrt import Model


def floats(file, count):
    found = array("f", bytes(4 * count))
    assert file.readinto(found) == 4 * count
    return found


def main(path, cases):
    model = Model(path)
    with open(cases, "rb") as file:
        for _ in range(int(floats(file, 1)[0])):
            given = [floats(file, len(end.data)) for end in model.inputs]
            answers = model(*given)
            answers = answers if isinstance(answers, tuple) else (answers,)
            worst = 0.0
            for answer in answers:
                wanted = floats(file, len(answer.data))
                most = max([abs(number) for number in wanted])
                off = max([abs(answer.data[place] - wanted[place]) for place in range(len(wanted))])
                worst = max(worst, off / most)
            print(worst)


main(*sys.argv[1:])
