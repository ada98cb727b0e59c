"""A Raspberry Pi Pico that is emulated: its real firmware, on npm's rp2040js, behind a pseudo-terminal."""
