"""Which files of burnpack and burnrt a board needs, and compiling them.

needs       the one table: what each module imports, and the kernels it calls
modules     the files behind the table; `layers` those that a model's source names
kernel_sets which native kernels a processor runs
contents    what of all that one model takes
cross       mpy-cross
"""
