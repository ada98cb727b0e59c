"""A step of a recurrent network, whose hidden state goes from each run to the next."""

from inspect import getsource

import numpy as np

from burnpack.writer import Writer
from burnrt import nn, tensor
from burnstore.models.running import values
from burnstore.programs.floats import program_of
from kit.models.chains import loaded

SHAPES = ((1, 4), (1, 6))
TIED = {1: 1}


class Step(nn.Module):
    """Input x and the state h to output 0 and the new state."""

    def __init__(self):
        self.w, self.u, self.out, self.tanh = nn.Linear(4, 6), nn.Linear(6, 6), nn.Linear(6, 2), nn.Tanh()

    def forward(self, x, h):
        h = self.tanh(self.w(x) + self.u(h))
        return self.out(h), h


SOURCE = "from burnrt import nn\n\n\n" + getsource(Step)


def file_with_states(model, shapes, states):
    """Return the form of a program with states, and the bytes of its file."""
    tensors = model.collect()
    form = program_of(model, shapes, tensors, states)
    return form, Writer([form.tensor(tensors), *tensors], form.metadata()).to_bytes()


def by_hand(model, shapes, states, stream):
    """Yield what a class answers to each inputs of a stream, where it is given its states by hand."""
    kept = {given: np.zeros(shapes[given], np.float32) for given in states}
    for inputs in stream:
        given = [kept.get(place, numbers) for place, numbers in enumerate(inputs)]
        found = [np.array(value) for value in values(model(*map(tensor, given)))]
        kept = {place: found[made] for place, made in states.items()}
        yield without(found, states.values())


def without(parts, places):
    """Return the parts but those at some places."""
    return [part for place, part in enumerate(parts) if place not in places]


def recorded(rows=5, seed=3):
    """Return the file of a `Step` with a state, a stream of inputs in rows, and the answers to it."""
    model = loaded(Step(), seed)
    given = np.random.default_rng(seed).normal(0, 1, (rows, 4)).astype(np.float32)
    stream = [(row[None], None) for row in given]
    answers = [found[0] for found in by_hand(model, SHAPES, TIED, stream)]
    return file_with_states(model, SHAPES, TIED)[1], given, np.concatenate(answers)
