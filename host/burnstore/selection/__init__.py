"""Which of a container's tensors are meant, and by which names.

trainers    what trainers keep in a checkpoint beside the weights
top_level   the key of a checkpoint that the weights are under
listing     from a container to the tensors that are asked for, under their new names
"""
