"""Print the words that are spoken: a main.py for a board with an I2S microphone, such as an INMP441.

Wiring of a Raspberry Pi Pico 2: SCK to GP16, WS to GP17, SD to GP18, L/R to GND, VDD to 3V3, GND to GND. For
another board change the pins. On the board beside this file: sound.py, listener.py, burnrt.mpy and
keywords.bpk; README.md says how they get there.
"""

from listener import STEP, Listener
from machine import I2S, Pin
from sound import RATE

from burnrt import Model

listener = Listener(Model("keywords"))
microphone = I2S(
    0, sck=Pin(16), ws=Pin(17), sd=Pin(18), mode=I2S.RX, bits=16, format=I2S.MONO, rate=RATE, ibuf=8 * STEP
)

said = "nothing"
while True:
    microphone.readinto(listener.newest)  # waits for them
    name = listener.recognise()
    if name != said and name != "nothing":
        print(name)
    said = name
    listener.move()
