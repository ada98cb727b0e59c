"""Name the motions of a board in the hand: a main.py for a board with an MPU-6050.

Wiring of a Raspberry Pi Pico: SDA to GP4, SCL to GP5, VCC to 3V3, GND to GND. For another board change the
pins. On the board beside this file: window.py, mpu6050.py, watcher.py, burnrt.mpy and gestures.bpk;
README.md says how they get there.
"""

import time

from machine import I2C, Pin
from mpu6050 import COUNTS_PER_G, Accelerometer
from watcher import Watcher
from window import RATE

from burnrt import Model

PERIOD = 1000 // RATE  # milliseconds
EVERY = RATE // 2  # samples between two answers

sensor = Accelerometer(I2C(0, sda=Pin(4), scl=Pin(5), freq=400_000))
watcher = Watcher(Model("gestures"), COUNTS_PER_G)

said = ""
due = time.ticks_ms()
number = 0
while True:
    watcher.add(sensor.read())
    number += 1
    if number % EVERY == 0:
        name = watcher.recognise()
        if name != said:
            print(name)
            said = name
    due = time.ticks_add(due, PERIOD)
    time.sleep_ms(max(0, time.ticks_diff(due, time.ticks_ms())))
