"""What `load_state_dict` of a torch.nn.Module calls the tensors that are written in PyTorch's layout.

Burn's names tell neither whether several layers are one recurrent layer of torch's, nor how a Sequential
numbers those of its layers that have parameters. A module that was made of one of torch's knows.
"""

from burnpack.adapters.split import places
from burnpack.context import Context, without_variants
from burnpack.module import Module, walk
from burnstore.naming.indices import Contiguous, gapped_prefixes_of
from burnstore.numerics.adapters import PyTorchToBurnAdapter


def torch_names(module: Module) -> dict[str, str]:
    """Return {name that a tensor gets in PyTorch's layout: torch's own name}; of other modules, nothing."""
    own: list[str] = getattr(module, "state_names", [])
    if not own:
        return {}
    known = dict(zip(Contiguous(None, gapped_prefixes_of(module))(own), own, strict=True))
    found = {}
    for path, containers, _ in walk(module):
        context = Context(path, containers)
        names = [name for name, _, _ in places(context)] or [name_in_pytorch(context)]
        for name in names:
            if name in known:
                found[names[0]] = known[name]
                break
    return found


def name_in_pytorch(place: Context) -> str:
    """Return what PyTorch calls a parameter that it does not stack with others."""
    head, dot, last = without_variants(place.path, place.containers).rpartition(".")
    return head + dot + (PyTorchToBurnAdapter().get_alternative_param_name(last, place.module_type) or last)
