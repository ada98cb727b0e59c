"""What would help where tensors and module do not fit: options by their names.

A missing parameter is looked for among the unused names in every form that a usual mistake gives it: by
PyTorch's name, without an enum's variant, behind a prefix. The form in which it is found tells the mistake.
"""

from burnpack.adapters.layers import LAYERS, RENAMED, STACKED
from burnpack.context import Context, without_variants
from burnpack.errors import printable
from burnpack.similar import ALIKE, similarity

if False:  # for type checkers
    from burnpack.result import ApplyResult


_TORCH_NAMES = dict([(burn, torch) for _, torch, burn in RENAMED])
_COMPILED = "_orig_mod."  # torch.compile leaves it in the middle of names, too
_LOOKED_AT = 50  # missing parameters; a mistake shows in the first ones
_SEARCHED = 2000  # unused names, for prefixes

_TORCH_ADAPTER = "with_from_adapter(PyTorchToBurnAdapter()), or convert --from-layout pytorch,"
_NAMES = "the file has PyTorch's names and layout: %s reads them" % _TORCH_ADAPTER
_TORCH_MATRIX = "a Linear's matrix lies as PyTorch has it: %s turns it" % _TORCH_ADAPTER
_BURN_MATRIX = "a Linear's matrix lies as Burn has it: such a file is read without PyTorchToBurnAdapter"
_SWAPPED = "%s has the file's numbers of inputs and outputs the other way round: swap its arguments"
_VARIANT = "PyTorch's names lack the enum's variant, %s: skip_enum_variants(True) leaves it out"
_WRAPPERS = (_COMPILED, "module.", "model.")  # what --strip-prefix takes off, where all names have it
_PREFIX = 'the file\'s names begin with "%s": %swith_key_remapping(r"^%s", "") takes it off, as does %s'
_STRIP = 'strip_prefixes("%s") or '
_WITHIN = 'torch.compile left "_orig_mod." in the file\'s names: strip_prefixes("_orig_mod.") or '
_WITHIN += 'with_key_remapping(r"_orig_mod\\.", "") takes it off'
_LACKED = (
    'the model\'s names begin with "%s", the file\'s do not: with_key_remapping("^", "%s") puts it there'
)
_LAYER = "no adapter knows the layer %s: if it is Burn's %s, call the class so, or derive it from that"
_RENAME = 'no adapter knows the layer %s: with_key_remapping(r"%s$", "%s") gives the file\'s names its own'
_ANOTHER = "no name of the file's is one of the model's: is the file another model's?"
_PARTIAL = "allow_partial(True), or convert --allow-partial, loads what there is"


class Unused:
    """The names in an `ApplyResult` that no parameter took, to be asked what is meant by a missing path."""

    def __init__(self, result: "ApplyResult") -> None:
        names = result.unused
        self._from_pytorch = result.from_pytorch
        self._unused_only = not result.applied
        self._names = names[:_SEARCHED]
        self._known = set(names)
        self._shared = _shared(names)
        self._compiled = dict([(name.replace(_COMPILED, ""), name) for name in names if _COMPILED in name])

    def meant(self, path: str, containers: tuple[str, ...]) -> tuple[str | None, list[str]]:
        """Return (the name by which the file means a missing path, hints), or (None, [])."""
        for form, hints in forms_of(path, containers):
            name, hint = self._found(form)
            if name is not None:
                hints = hint + hints
                return name, [each for each in hints if each != _NAMES] if self._from_pytorch else hints
        return None, []

    def _found(self, form: str) -> tuple[str | None, list[str]]:
        """Return (the name that has this form in the file, hints on its prefix), or (None, [])."""
        if form in self._known:
            return form, []
        if form in self._compiled:
            name = self._compiled[form]
            return name, [self._prefix_hint(_COMPILED) if name == _COMPILED + form else _WITHIN]
        behind = [name for name in self._names if name.endswith("." + form)]
        for name in behind:
            prefix = name[: len(name) - len(form)]
            if len(behind) == 1 or self._shared.startswith(prefix):
                return name, [self._prefix_hint(prefix)]
        return self._without_a_prefix(form)

    def _prefix_hint(self, prefix: str) -> str:
        return _prefix_hint(prefix, self._unused_only and self._shared.startswith(prefix))

    def _without_a_prefix(self, form: str) -> tuple[str | None, list[str]]:
        parts = form.split(".")
        for start in range(1, len(parts) - 1):  # a last segment alone, as "weight", says nothing
            name = ".".join(parts[start:])
            if name in self._known:
                prefix = ".".join(parts[:start]) + "."
                return name, [_LACKED % (prefix, prefix)]
        return None, []


def hints_for(result: "ApplyResult") -> list[str]:
    """Return texts that say what would help with an `ApplyResult`, each once."""
    unused = Unused(result)
    hints = []
    for path, containers in result.missing[:_LOOKED_AT]:
        hints.extend(unused.meant(path, containers)[1])
    places = dict(result.places())
    wrong = [error[1] for error in result.errors]
    for kind, path, expected, found in result.errors:
        if kind == "ShapeMismatch" and path.endswith("weight") and _reversed(expected) == found:
            head = path[: -len("weight")]
            if head + "bias" in wrong:  # no layout changes a bias
                hints.append(_SWAPPED % head.rstrip("."))
            else:
                hints.extend(_matrix_hints(places.get(path, ()), result.from_pytorch))
    if _NAMES in hints:
        hints = [hint for hint in hints if hint != _TORCH_MATRIX]
    if result.missing and not hints:
        hints.append(_PARTIAL if result.applied else _ANOTHER)
    each_once = []
    for hint in hints:
        if hint not in each_once:
            each_once.append(hint)
    return each_once


def _shared(names: list[str]) -> str:
    """Return what all names begin with."""
    if not names:
        return ""
    first, last = min(names), max(names)
    size = 0
    while size < min(len(first), len(last)) and first[size] == last[size]:
        size += 1
    return first[:size]


def forms_of(path: str, containers: tuple[str, ...]) -> list[tuple[str, list[str]]]:
    """Return the forms that a path may have in a file, each with hints that say how to read such a file."""
    forms: list[tuple[str, list[str]]] = [(path, [])] + _torch_forms(path, containers)
    bare = without_variants(path, containers)
    if bare != path:
        segments = zip(path.split("."), containers)
        variants = [segment for segment, container in segments if container.startswith("Enum:")]
        hint = [_VARIANT % " and ".join(variants)]
        forms = (
            [(bare, hint)] + [(form, hint + more) for form, more in _torch_forms(bare, containers)] + forms
        )
    return forms


def _torch_forms(path: str, containers: tuple[str, ...]) -> list[tuple[str, list[str]]]:
    head, dot, last = path.rpartition(".")
    forms: list[tuple[str, list[str]]] = []
    if last in _TORCH_NAMES:
        form = head + dot + _TORCH_NAMES[last]
        forms.append((form, [_NAMES] + _layer_hints(_layer_of(path, containers), form, path)))
    if any(["Struct:" + layer in containers for layer in STACKED]):
        from burnpack.adapters.split import places  # few models have such layers

        forms.extend([(place[0], [_NAMES]) for place in places(Context(path, containers))])
    return forms


def _layer_hints(layer: str, torch_name: str, name: str) -> list[str]:
    """Return what helps where no adapter knows the layer, and so does not rename its parameters."""
    if not layer or layer in LAYERS:
        return []
    close = _close_layer(layer)
    if close:
        return [_LAYER % (layer, close)]
    ends = [".".join(each.split(".")[-2:]) for each in (torch_name, name)]
    return [_RENAME % (layer, _pattern(ends[0]), ends[1])]


def _matrix_hints(containers: tuple[str, ...], from_pytorch: bool) -> list[str]:
    layer = _layer_of("", containers)
    if layer and layer not in LAYERS:
        return [_LAYER % (layer, "Linear")] if _close_layer(layer) == "Linear" else []
    return [_BURN_MATRIX if from_pytorch else _TORCH_MATRIX]


def _layer_of(path: str, containers: tuple[str, ...]) -> str:
    """Return the class of the layer around a parameter, "" where it is not known."""
    return (Context(path, containers).module_type or "").split(":")[-1]


def _close_layer(name: str) -> str | None:
    """Return the layer that adapters know whose name is most like `name`, or None."""
    best, best_score = None, ALIKE
    for layer in LAYERS:
        score = similarity(name.lower(), layer.lower())
        if score >= best_score:
            best, best_score = layer, score
    return best


def _prefix_hint(prefix: str, of_all: bool) -> str:
    """Return what takes a prefix off; of_all: whether all names have it, as options for prefixes want it."""
    shown = printable(prefix)
    pattern = _pattern(shown)
    option = (
        "convert --strip-prefix" if of_all and prefix in _WRAPPERS else 'convert --rename "^%s="' % pattern
    )
    return _PREFIX % (shown, _STRIP % shown if of_all else "", pattern, option)


def _pattern(name: str) -> str:
    return name.replace(".", "\\.")


def _reversed(shape: str | None) -> str:
    # Where shapes differ, the error has both.
    return "[%s]" % ", ".join(reversed(shape[1:-1].split(", ")))  # type: ignore[index]
