"""The accelerometer of an MPU-6050, over I2C."""

import struct

ADDRESS = 0x68  # or 0x69, with its pin AD0 high
COUNTS_PER_G = 8192  # at a range of 4 g

# register: what is written to it at the start
_POWER, _AWAKE = 0x6B, b"\x00"
_FILTER, _44_HZ = 0x1A, b"\x03"  # less than half of what is sampled at 100 Hz
_RANGE, _4_G = 0x1C, b"\x08"
_ACCELERATION = 0x3B  # x, y, z: signed 16 bits each, the high byte first


class Accelerometer:
    """i2c: a machine.I2C, or what has its readfrom_mem_into and writeto_mem."""

    def __init__(self, i2c, address=ADDRESS):
        self._i2c = i2c
        self._address = address
        self._bytes = bytearray(6)
        for register, value in ((_POWER, _AWAKE), (_FILTER, _44_HZ), (_RANGE, _4_G)):
            i2c.writeto_mem(address, register, value)

    def read(self):
        """Return the acceleration along x, y and z in counts, COUNTS_PER_G of which are 1 g."""
        self._i2c.readfrom_mem_into(self._address, _ACCELERATION, self._bytes)
        return struct.unpack(">hhh", self._bytes)
