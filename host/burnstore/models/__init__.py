"""A user's model on this computer: found, loaded, run, compared.

model       the class that is meant; `told` what goes wrong in it, `passes` what in its forward pass
loaded      a model with the weights of a file; `running` what it takes and answers
given       inputs and expected answers out of files; `comparison` what differs
selftest    cases put into a .bpk for a board to repeat
"""
