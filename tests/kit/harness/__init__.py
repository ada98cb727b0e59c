"""How tests are collected, spread over processes, and run on MicroPython and on boards."""
