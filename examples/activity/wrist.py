"""Motion of a wrist, from an MPU-6050 over I2C: what the recordings have, in their units as far as is known.

The recordings do not say their units. Their numbers are those of m/s², gravity taken away, and of rad/s.
"""

import struct

from motion import AXES

ADDRESS = 0x68  # or 0x69, with its pin AD0 high
METRES = 9.81 / 8192  # per second squared, of a count at a range of 4 g
RADIANS = 3.14159265 / 180 / 16.4  # per second, of a count at a range of 2,000 degrees per second
FORGOTTEN = 0.05  # of the mean, which is taken for gravity, with each sample

# register: what is written to it at the start
_SETTINGS = (
    (0x6B, b"\x00"),  # awake
    (0x1A, b"\x06"),  # filtered to 5 Hz, half of what is sampled at 10 Hz
    (0x1B, b"\x18"),  # 2,000 degrees per second
    (0x1C, b"\x08"),  # 4 g
)
_MOTION = 0x3B  # acceleration, temperature, rotation: signed 16 bits each, the high byte first


class Wrist:
    """i2c: a machine.I2C, or what has its readfrom_mem_into and writeto_mem."""

    def __init__(self, i2c, address=ADDRESS):
        self._i2c = i2c
        self._address = address
        self._bytes = bytearray(14)
        self._gravity = None
        self._motion = [0.0] * AXES
        for register, value in _SETTINGS:
            i2c.writeto_mem(address, register, value)

    def read(self):
        """Return a sample: acceleration along x, y and z without gravity, then rotation about them."""
        self._i2c.readfrom_mem_into(self._address, _MOTION, self._bytes)
        counts = struct.unpack(">hhhhhhh", self._bytes)
        seen = [count * METRES for count in counts[:3]]
        gravity = self._gravity = self._gravity or seen[:]
        for axis in range(3):
            gravity[axis] += (seen[axis] - gravity[axis]) * FORGOTTEN
            self._motion[axis] = seen[axis] - gravity[axis]
            self._motion[3 + axis] = counts[4 + axis] * RADIANS
        return self._motion
