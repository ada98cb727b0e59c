"""The last two seconds of motion, as the network wants them: a ring of bytes, filled a sample at a time.

No float is touched between the sensor and the network's answer, and nothing is allocated for a window.
"""

from window import AXES, NAMES, SAMPLES

_FRACTION = 16  # bits behind the point of the factor that turns counts into the network's steps


class Watcher:
    """Feeds the quantized network.

    model: a `burnrt.Model` of GestureNet. counts_per_g: of the sensor.
    """

    def __init__(self, model, counts_per_g):
        self._model = model
        given = model.inputs[0]
        self._ring = bytearray(AXES * SAMPLES)
        self._next = 0  # place of the oldest sample, which the next one replaces
        self._zero = given.zero
        self._factor = round((1 << _FRACTION) / (counts_per_g * given.scale))
        for place in range(len(self._ring)):
            self._ring[place] = self._zero

    def add(self, counts):
        """Take one sample: x, y and z in the sensor's counts."""
        place = self._next
        for count in counts:
            step = self._zero + ((count * self._factor + (1 << _FRACTION - 1)) >> _FRACTION)
            self._ring[place] = 0 if step < 0 else 255 if step > 255 else step
            place += SAMPLES
        self._next = (self._next + 1) % SAMPLES

    def recognise(self):
        """Return the name of the motion in the window."""
        self._unroll()
        self._model.run()
        scores = self._model.output
        best = 0
        for place in range(1, len(NAMES)):
            if scores[place] > scores[best]:
                best = place
        return NAMES[best]

    def _unroll(self):
        """Copy the ring to the plan's input, oldest sample first."""
        window, ring = self._model.input, self._ring
        for axis in range(0, AXES * SAMPLES, SAMPLES):
            place = self._next
            for to in range(axis, axis + SAMPLES):
                window[to] = ring[axis + place]
                place = place + 1 if place + 1 < SAMPLES else 0
