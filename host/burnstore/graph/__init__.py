"""What a model computes, as a graph: made by following its class, and changed by passes.

operations  what a step computes; network  the steps, and the values between them
following   from the followed forward pass to the network
layers      which layers become operations that passes know, by families
states      outputs that are inputs of the next run
fold, fuse  passes: what scales channels, and what cuts numbers, goes into the operations beside it
memory      where in the arena each value lies
"""
