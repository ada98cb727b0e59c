"""A parameter of torch's, as one of ours."""

import importlib
from typing import Any

from burnpack.errors import Unsupported
from burnpack.module import Param
from burnpack.tensor import Tensor
from burnstore.numerics.arrays import ARRAY_NAMES, array_from_tensor


class TorchParam(Param):
    """A parameter of torch's. view: a tensor that shares its memory, in Burn's layout."""

    def __init__(self, view: Any) -> None:
        self._view = view
        self._incoming: Any = None
        self.shape = tuple(view.shape)
        self.param_id = None

    @property
    def dtype(self) -> Any:
        """The dtype of torch's tensor. One that is set is that of the data which is set next."""
        return _dtype_of(self._view)

    @dtype.setter
    def dtype(self, value: Any) -> None:
        self._incoming = value

    @property
    def data(self) -> Any:
        """The bytes: those of torch's tensor itself where they lie so, and else rearranged."""
        return _bytes_of(self._view)

    @data.setter
    def data(self, value: Any) -> None:
        loaded = _tensor_of(Tensor("", self._incoming, self.shape, value, None, len(value)))
        with _torch().no_grad():
            self._view.copy_(loaded)

    def tensor(self, path: str) -> Tensor:
        """Return the parameter as a tensor whose bytes are not taken yet."""
        view = self._view
        return Tensor(path, self.dtype, self.shape, lambda: _bytes_of(view), self.param_id, self.nbytes())


def _torch() -> Any:
    return importlib.import_module("torch")


def _dtype_of(tensor: Any) -> str:
    name = str(tensor.dtype).removeprefix("torch.")
    for dtype, known in ARRAY_NAMES.items():
        if known == name:
            return dtype
    raise Unsupported("a torch tensor of this dtype can't be stored", found=name)


def _bytes_of(tensor: Any) -> memoryview:
    torch = _torch()
    plain = tensor.detach().resolve_conj().resolve_neg()  # views whose numbers differ from their bytes
    plain = plain.cpu().contiguous()
    flat = plain.as_strided((plain.numel(),), (1,))  # a single number may have any stride, and is contiguous
    return memoryview(flat.view(torch.uint8).numpy())


def _tensor_of(tensor: Tensor) -> Any:
    """Return a torch tensor with a copy of the numbers; what is quantized is decoded."""
    torch = _torch()
    if not isinstance(tensor.dtype, str) or tensor.dtype not in ARRAY_NAMES:
        return torch.from_numpy(array_from_tensor(tensor).copy())
    flat = torch.frombuffer(bytearray(tensor.data()) or bytearray(1), dtype=torch.uint8)[: tensor.nbytes]
    return flat.view(getattr(torch, ARRAY_NAMES[tensor.dtype])).reshape(tensor.shape)
