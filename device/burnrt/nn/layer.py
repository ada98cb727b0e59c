"""What all layers share: from a shape to a shape, and from a value to a value."""

from burnpack.dtype import count
from burnpack.errors import BurnpackError, InvalidTensor, Unsupported
from burnpack.module import Module
from burnrt import kernels, nn
from burnrt.value import allocate


class Layer(Module):
    """One step of a forward pass.

    A layer says in `output_shape(shape)` what comes out of an input of that shape (and raises
    `InvalidTensor` when nothing can), and in `run(input, output)` how the output, a `Value` of that
    shape, is filled. Neither allocates anything for the output, so who has planned the buffers of
    a whole model can call both directly.
    """

    def container(self):
        """Return "Struct:" and a name: of Burn's layer that this is or derives from, or the class's own."""
        return "Struct:" + (_burn_name(type(self)) or type(self).__name__)

    def output_shape(self, shape):
        """Return the shape of the output for an input of `shape`: here, the same."""
        return shape

    def forward(self, input):
        output = allocate(self.output_shape(input.shape))
        self.run(input, output)
        return output

    def weights(self, name):
        """Return parameter `name` as a sequence of numbers, read in place; None where the layer has none."""
        param = getattr(self, name)
        if param is None:
            return None
        item = "%s.%s" % (type(self).__name__, name)
        if param.data is None:
            raise BurnpackError("has no data: load the model before running it", item)
        if len(param.data) != param.nbytes():
            raise InvalidTensor("wrong number of bytes", item, expected=param.nbytes(), found=len(param.data))
        found = kernels.weights(param.data, param.dtype, count(param.shape))
        if found is None:
            raise Unsupported("no kernel computes with this dtype", item, found=param.dtype)
        return found

    def refuse(self, shape, expected):
        """Raise `InvalidTensor` for an input of `shape` where `expected`, a text, is needed."""
        raise InvalidTensor("wrong input shape", type(self).__name__, expected=expected, found=list(shape))


class Declared(Layer):
    """A layer whose parameters are known and whose forward pass is not there yet.

    It can be described, loaded, converted and saved; calling it raises `Unsupported`.
    """

    def output_shape(self, shape):
        self.forward(shape)

    def forward(self, *inputs):
        raise Unsupported("has no forward pass yet", type(self).__name__)

    def run(self, input, output):
        self.forward(input)


def _burn_name(cls):
    """Return the name of the first class, from `cls` upwards, that is a layer of `burnrt.nn`, or None."""
    if nn.is_layer(cls.__name__):
        return cls.__name__
    for base in cls.__bases__:
        name = _burn_name(base)
        if name:
            return name
    return None
