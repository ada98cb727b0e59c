"""Classes of networks, described: which layers they have, and what `forward` does, line by line.

description  the layers and the lines
running      a described class that runs
describing   from any file to the source of a class
source       the source text, as a person would have written it: a `tree` of modules, the `bodies` of their
             `forward`, `sharing` of classes, `naming` of values, `statements`, and `texts` made of `code`
guessing     the layers, guessed from weights, by what is `likely`
pickled      the layers of a whole module that is pickled
identifiers  names out of files that may stand in a source; `simpler` arguments
"""
