"""PyTorch's operations (ATen), as an exported program has them, described as a class in `burnrt.nn`.

core       the forms of the core operations, written as those that a module calls
rows       which function computes which operation: one line each
table      what becomes of an operation: the rows, and the functions that make layers
building   the class in the making: values, layers, lines, and what is computed once
layers, recurrent, attention  the operations that have parameters
special, composed, einsum  those that are no call of one function
creating   constants, and operations on constants alone
"""

from burnstore.aten.describing import described as described
