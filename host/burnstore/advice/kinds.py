"""The hints that a computer finds, and why each helps: a front end adds what to do.

    KEY, key                       the weights are under this top-level key of a PyTorch checkpoint
    STRIP, prefix                  the file's names begin with it, the module's do not
    RENAME, pattern, replacement   as in `naming.remap`
    CONTIGUOUS, "closed" or "kept" whether gaps in the numbers of the file's lists are closed
    LAYER, name, known             a class that no adapter knows, and the one of Burn's that it may be
    SWAPPED, path                  a Linear's numbers of inputs and outputs are the other way round
    CONVERT                        to convert the file is enough
    ANOTHER                        the file is another module's: nothing is advised

and those of `burnpack.hints`.
"""

from burnpack.hints import BURN, LAYOUT, PARTIAL, PYTORCH, VARIANTS

Hint = tuple[str, ...]

KEY, STRIP, RENAME, CONTIGUOUS = "key", "strip", "rename", "contiguous"
LAYER, SWAPPED, CONVERT, ANOTHER = "layer", "swapped", "convert", "another"
CLOSED, KEPT = "closed", "kept"
COMPILED = "_orig_mod."  # torch.compile leaves it in the middle of names, too
START = "^"  # the pattern that puts a prefix before every name

# The order in which hints are told.
ORDER = (KEY, STRIP, RENAME, CONTIGUOUS, LAYER, SWAPPED, VARIANTS, LAYOUT, PARTIAL, CONVERT, ANOTHER)

_WHY = {
    KEY: 'the weights are under the top-level key "{0}": {action} takes these',
    STRIP: 'the file\'s names begin with "{0}": {action} takes it off',
    RENAME: "the file's names differ from the model's: {action} gives them those of the model",
    CONTIGUOUS: "the numbers in the file's lists are not the model's: {action} gives them these",
    LAYER: "no adapter knows the layer {0}: if it is Burn's {1}, call the class so, or derive it from that",
    SWAPPED: "{0} has the file's numbers of inputs and outputs the other way round: swap its arguments",
    VARIANTS: "the file's names lack the variants of enums: {action} leaves them out",
    PARTIAL: "{action} loads what there is",
    CONVERT: "the model's names and layout are those of a file that {action} makes",
    ANOTHER: "few or none of the file's names and shapes are the model's: is the file another model's?",
}
_WHY_THIS: dict[Hint, str] = {
    (STRIP, COMPILED): 'torch.compile left "_orig_mod." in the file\'s names: {action} takes it off',
    (LAYOUT, PYTORCH): "the file fits in PyTorch's names and layout: {action} reads these",
    (LAYOUT, BURN): "the file fits in Burn's names and layout: {action} reads these",
}
_WHY_PREFIX = "the model's names begin with \"{1}\", the file's do not: {action} puts it there"


def said(hint: Hint, action: str) -> str:
    """Return a hint in words. action: how it is acted upon, in a front end's words."""
    kind, *arguments = hint
    why = _WHY_PREFIX if hint[:2] == (RENAME, START) else _WHY_THIS.get(hint) or _WHY[kind]
    return why.format(*arguments, action=action)
