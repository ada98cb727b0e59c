"""Numbers with numpy: what `burnpack` does element by element, at full speed.

arrays      arrays from tensors and back; `values` tensors of what a script has
adapters    the portable adapters, with the arithmetic of `elements`
quantized packed   quantized tensors, bit for bit as `burnpack` has them
"""
