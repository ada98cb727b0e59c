"""What an exported program is given and answers, by the names that `forward` has for them."""

from burnpack.errors import LimitExceeded
from burnstore.exported.items import Item, parse_json

DEPTH = 64  # of tuples, lists and dicts in arguments


def argument_names(module_call_graph: Item) -> list[str | None]:
    """Return what `forward` calls each value that it is given, None for a part of an argument.

    A tuple, list or dict of values is one argument of several. The list is empty where nothing is known.
    """
    entries = module_call_graph.items()
    signature = entries[0].get("signature") if entries else None
    names = signature.get("forward_arg_names") if signature else None
    if signature is None or names is None:
        return []
    tree = parse_json(signature.field("in_spec").text().encode(), signature.field("in_spec").place)
    parts = tree.items()
    arguments = [tree_of for group in parts[1].field("children_spec").items() for tree_of in _children(group)]
    found: list[str | None] = []
    for name, argument in zip(names.items(), arguments, strict=False):
        count = _leaves(argument)
        found += [name.text()] if not _children(argument) and count == 1 else [None] * count
    return found if len(names.items()) == len(arguments) else []


def _children(tree: Item) -> list[Item]:
    return tree.field("children_spec").items()


def _leaves(tree: Item, depth: int = 0) -> int:
    """Return how many values a tree of arguments has: one that is no tuple, list or dict is a leaf."""
    if depth > DEPTH:
        raise LimitExceeded("arguments are nested too deeply", tree.place, expected=f"at most {DEPTH}")
    if tree.get("type") is None:
        return 1
    return sum(_leaves(child, depth + 1) for child in _children(tree))
