"""The names that a parameter may have in a file of PyTorch's."""

from burnpack.adapters.layers import RENAMED, STACKED
from burnpack.context import Context, without_variants

TORCH_NAMES = dict([(burn, torch) for _, torch, burn in RENAMED])


def forms_of(path: str, containers: tuple[str, ...]) -> list[str]:
    """Return the names besides its path, each once: PyTorch's, and those without an enum's variant."""
    bare = without_variants(path, containers)
    forms = _torch_forms(bare, containers)
    if bare != path:
        forms = [bare] + forms + _torch_forms(path, containers)
    return [form for place, form in enumerate(forms) if form not in forms[:place]]


def _torch_forms(path: str, containers: tuple[str, ...]) -> list[str]:
    head, dot, last = path.rpartition(".")
    forms = [head + dot + TORCH_NAMES[last]] if last in TORCH_NAMES else []
    if any(["Struct:" + layer in containers for layer in STACKED]):
        from burnpack.adapters.split import places  # few models have such layers

        forms.extend([place[0] for place in places(Context(path, containers))])
    return forms
