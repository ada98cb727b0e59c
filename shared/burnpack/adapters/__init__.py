"""Adapters: what frameworks differ in when they name, lay out and round the same parameters.

An adapter is any object with

- `adapt(tensor, context)`: the tensor as the other side has it; nothing is read for that. Its name is
  the parameter's path, whatever the source calls it.
- `get_alternative_param_name(name, module_type)`: what the other side calls a parameter, or None.

and, where one tensor of one side is several on the other, with

- `adapt_source(source, contexts)`: the source of a load, showing the tensors that the module's
  parameters (`contexts`) want,
- `adapt_collected(pairs)`: the (tensor, context) pairs of a module that is saved, each tensor already
  adapted, as the other side has them.

Each name is imported when it is first used, so that a board needs memory only for what it uses.
"""

_HOMES = {
    "BurnToPyTorchAdapter": "burnpack.adapters.pytorch",
    "ChainAdapter": "burnpack.adapters.chain",
    "Context": "burnpack.context",
    "FloatCastAdapter": "burnpack.adapters.float_cast",
    "HalfPrecisionAdapter": "burnpack.adapters.half_precision",
    "IdentityAdapter": "burnpack.adapters.base",
    "ModuleAdapter": "burnpack.adapters.base",
    "PyTorchToBurnAdapter": "burnpack.adapters.pytorch",
    "SplitAdapter": "burnpack.adapters.split",
    "transposed": "burnpack.adapters.pytorch",
}


def __getattr__(name):
    if name not in _HOMES:
        raise AttributeError(name)
    value = getattr(__import__(_HOMES[name], None, None, (name,)), name)
    globals()[name] = value
    return value
