"""Classes of networks, described: which layers they have, and what `forward` does, line by line.

description  the layers and the lines
running      a described class that runs
"""
