"""What trainers keep in a checkpoint beside a model's weights, told by its key and by what it is."""

import re

from burnpack.tensor import Tensor
from burnstore.pytorch.flatten import key_text
from burnstore.pytorch.objects import Dict

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_KEPT = frozenset(
    "optimizer optimizers optimiser optimisers optim optims opt scheduler schedulers sched scaler scaling "
    "amp loss losses criterion epoch epochs step steps iter iters iteration iterations updates rng random "
    "seed logger loggers logs history hparams hyperparameters args config cfg metric metrics meter meters "
    "accuracy acc prec precision score scores fitness lr learningrate callbacks loops sampler dataloader "
    "version".split()
)
_BEHIND = frozenset(("state", "states", "dict", "dicts", "all", "num", "top"))  # say nothing of what it is
_WHOLE = ("extra_state",)  # of fairseq; its words alone may mean anything

_OPTIMIZER = ["param_groups", "state"]
_RNG = {("U8", (5056,)), ("U8", (816,)), ("U8", (16,)), ("U32", (624,))}  # torch's, CUDA's, NumPy's
RNG_MOST = 64  # tensors of random states, a few for each device


def is_kept(key: str, value: object, tensors: list[Tensor]) -> bool:
    """Return whether an entry of a checkpoint's dict is a trainer's, and no part of a model.

    tensors: those in it, or the first ones, more than `RNG_MOST`.
    """
    return _says(key) or _is_optimizer(value) or _is_random_state(tensors)


def _says(key: str) -> bool:
    """Return whether the last word with a meaning is one of a trainer's, as in "optimizerG_state_dict"."""
    words = [word.lower() for word in _WORD.findall(key)]
    while words and (words[-1] in _BEHIND or len(words[-1]) == 1):
        words.pop()
    return key in _WHOLE or "".join(words[-1:]) in _KEPT or "".join(words[-2:]) in _KEPT


def _is_optimizer(value: object) -> bool:
    """Return whether a value is an optimizer's state dict, or a list of these."""
    if type(value) is Dict:
        return sorted(key_text(key) or "" for key, _ in value.pairs[:3]) == _OPTIMIZER
    return isinstance(value, (list, tuple)) and bool(value) and all(map(_is_optimizer, value))


def _is_random_state(tensors: list[Tensor]) -> bool:
    return 0 < len(tensors) <= RNG_MOST and all((each.dtype, each.shape) in _RNG for each in tensors)
