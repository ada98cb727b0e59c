"""Programs: what a board is told of a model, in the model's own file. `burnrt.model` reads them.

form       the words of a program, whoever writes it
integers   of a network in integers
floats     of a network in floats; recording  what its layers call
uses       which kernels a program calls
"""
