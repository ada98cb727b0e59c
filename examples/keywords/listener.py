"""The last second of sound, as the network wants it, and the word in it."""

from array import array

from sound import NAMES, SAMPLES

STEP = SAMPLES // 4  # samples between two answers
_LOUDEST = 32768  # the value of a sample at full scale


class Listener:
    """Feeds the network.

    model: a `burnrt.Model` of KeywordNet. newest: the last STEP samples, 16 bits each, which are written
    before each answer.
    """

    def __init__(self, model):
        self._model = model
        given = model.inputs[0]
        self._is_bytes = given.scale is not None  # a model in integers
        self._scale = _LOUDEST * (given.scale or 1.0)
        self._zero = given.zero + 0.5
        self._sound = memoryview(array("h", bytes(2 * SAMPLES)))
        self.newest = self._sound[SAMPLES - STEP :]

    def move(self):
        """Make space for the next samples: the oldest go."""
        self._sound[: SAMPLES - STEP] = self._sound[STEP:]

    def recognise(self):
        """Return the name of the word in the last second."""
        sound, given = self._sound, self._model.input
        if self._is_bytes:
            for place in range(SAMPLES):
                given[place] = min(255, max(0, int(sound[place] / self._scale + self._zero)))
        else:
            for place in range(SAMPLES):
                given[place] = sound[place] / self._scale
        self._model.run()
        scores = self._model.output
        best = 0
        for place in range(1, len(NAMES)):
            if scores[place] > scores[best]:
                best = place
        return NAMES[best]
