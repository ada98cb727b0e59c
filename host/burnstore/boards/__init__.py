"""What a model takes to a board.

runtime     which of burnpack's and burnrt's files a board needs, and compiling them
images      C modules, frozen modules and ROMFS images for a firmware's build
link        a board at the end of a cable: looking at it, and bringing it a model whole
fit         whether a model fits a board, told before the board is at hand
"""
