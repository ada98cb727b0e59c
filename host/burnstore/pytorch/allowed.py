"""The closed list of names that mean something in a pickle; every other name is opaque.

A row stands for a call of that class or function. None of them is imported.
"""

from burnpack.errors import Malformed
from burnstore.pytorch import builders, numpy_values, quantized, rebuild
from burnstore.pytorch.objects import Builder


def _first(arguments: tuple[object, ...]) -> object:
    """torch.Size(extents), and TorchScript's ways to say what a list is of: the tuple or list itself."""
    return arguments[0] if arguments else ()


_STANDARD: dict[str, dict[str, Builder]] = {
    "collections": {
        "OrderedDict": builders.make_dict,
        "Counter": builders.make_dict,
        "defaultdict": builders.make_default_dict,
    },
    "builtins": {
        "dict": builders.make_dict,
        "set": builders.make_set,
        "frozenset": builders.make_set,
        "list": builders.make_list,
        "complex": builders.make_complex,
        "getattr": builders.make_nested,
    },
    "copyreg": {
        "__newobj__": builders.make_new,
        "_reconstructor": builders.make_reconstructed,
    },
}

_PYTHON_2 = {"__builtin__": "builtins", "copy_reg": "copyreg"}

_MULTIARRAY: dict[str, Builder] = {
    "_reconstruct": numpy_values.make_array,
    "scalar": numpy_values.make_scalar,
}
_NUMPY: dict[str, dict[str, Builder]] = {
    "numpy": {"dtype": numpy_values.make_dtype},
    "numpy.core.multiarray": _MULTIARRAY,
    "numpy._core.multiarray": _MULTIARRAY,
    "numpy.core.numeric": {"_frombuffer": numpy_values.Array.of_buffer},
    "numpy._core.numeric": {"_frombuffer": numpy_values.Array.of_buffer},
    "numpy.ma.core": {"_mareconstruct": rebuild.Refusal("a masked NumPy array")},
    "numpy.ma": {"_mareconstruct": rebuild.Refusal("a masked NumPy array")},
}

_SPARSE = rebuild.Refusal("a sparse tensor")
_NUMPY_TENSOR = rebuild.Refusal("a tensor of a device that PyTorch saves through NumPy")
_SUBCLASS: dict[str, Builder] = {
    "_rebuild_from_type": rebuild.rebuild_from_type,
    "_rebuild_from_type_v2": rebuild.rebuild_from_type,
}
_TORCH: dict[str, dict[str, Builder]] = {
    "torch.jit._pickle": {
        "restore_type_tag": _first,
        "build_intlist": _first,
        "build_doublelist": _first,
        "build_boollist": _first,
        "build_tensorlist": _first,
    },
    "torch": {"Size": _first},
    "torch._utils": {
        "_rebuild_tensor": rebuild.rebuild_tensor,
        "_rebuild_tensor_v2": rebuild.rebuild_tensor_v2,
        "_rebuild_tensor_v3": rebuild.rebuild_tensor_v3,
        "_rebuild_parameter": rebuild.rebuild_parameter,
        "_rebuild_parameter_with_state": rebuild.rebuild_parameter,
        "_rebuild_device_tensor_from_cpu_tensor": rebuild.rebuild_moved,
        "_rebuild_device_tensor_from_numpy": _NUMPY_TENSOR,
        "_rebuild_xla_tensor": _NUMPY_TENSOR,
        "_rebuild_qtensor": quantized.rebuild_qtensor,
        "_rebuild_sparse_tensor": _SPARSE,
        "_rebuild_sparse_csr_tensor": _SPARSE,
        "_rebuild_nested_tensor": rebuild.Refusal("a nested tensor"),
        "_rebuild_meta_tensor_no_storage": rebuild.Refusal("a meta tensor (one without data)"),
        "_rebuild_wrapper_subclass": rebuild.Refusal("a tensor subclass without a storage"),
    },
    "torch._tensor": _SUBCLASS,
    "torch.tensor": _SUBCLASS,
    "torch.nested._internal.nested_tensor": {"_rebuild_njt": rebuild.Refusal("a nested tensor")},
}


def _flat() -> dict[tuple[str, str], Builder]:
    flat = {}
    for modules in (_STANDARD, _NUMPY, _TORCH):
        for module, names in modules.items():
            for name, builder in names.items():
                flat[module, name] = builder
    for old, new in _PYTHON_2.items():
        for name, builder in _STANDARD[new].items():
            flat[old, name] = builder
    return flat


ALLOWED: dict[tuple[str, str], Builder] = _flat()

# Calls that only a hostile pickle has. What is not allowed is never called anyway; these are refused so
# that who loads such a file learns of it.
HOSTILE_MODULES = frozenset(
    "os posix nt subprocess socket ctypes importlib runpy pty shutil webbrowser pdb sys commands".split()
)
HOSTILE_BUILTINS = frozenset("eval exec execfile compile __import__ open file input breakpoint".split())


def look_up(module: str, name: str) -> Builder | None:
    """Return what stands for calling a name, or None for a name that means nothing here."""
    found = ALLOWED.get((module, name)) or rebuild.refuse_unknown(module, name)
    builtin = module in ("builtins", "__builtin__")
    if module in HOSTILE_MODULES or (builtin and name in HOSTILE_BUILTINS):
        return _hostile(f"{module}.{name}")
    return found


def _hostile(path: str) -> Builder:
    def build(arguments: tuple[object, ...]) -> object:
        raise Malformed("the pickle calls what no checkpoint needs; it was not run", "the pickle", found=path)

    return build
