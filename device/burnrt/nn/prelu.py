"""The activation that learns."""

from burnpack.module import Param
from burnrt.nn.layer import Declared


class PRelu(Declared):
    """x, or alpha · x where x is negative. alpha: (num_parameters), one for all or one a channel.

    init only matters in training; it is taken so that a model's text can say it.
    """

    def __init__(self, num_parameters=1, init=0.25):
        self.alpha = Param((num_parameters,))
        self.init = init
