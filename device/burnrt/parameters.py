"""The numbers of a parameter, read where they lie."""

from burnpack.dtype import count
from burnpack.errors import BurnpackError, InvalidTensor, Unsupported
from burnrt import kernels

if False:  # for type checkers
    from burnpack.module import Param
    from burnrt.types import Numbers


def numbers_of(param: "Param", item: str) -> "Numbers":
    """Return a parameter as a sequence of numbers, read in place. item: what errors call it.

    Raises what `Layer.weights` does.
    """
    if param.data is None:
        raise BurnpackError("has no data: load the model first", item)
    if len(param.data) != param.nbytes():
        raise InvalidTensor("wrong number of bytes", item, expected=param.nbytes(), found=len(param.data))
    found = kernels.weights(param.data, param.dtype, count(param.shape))
    if found is None:
        raise Unsupported("no kernel computes with this dtype", item, found=param.dtype)
    return found
