"""The models whose files Burn wrote, as a user of burnrt.nn describes them."""

from burnpack.module import Module
from burnrt import nn


class Block(nn.Module):
    def __init__(self):
        self.lin = nn.Linear(5, 3)
        self.norm = nn.LayerNorm(3)


class Zoo(nn.Module):
    def __init__(self):
        self.conv1 = nn.Conv1d(2, 3, 3)
        self.conv2 = nn.Conv2d(2, 4, (3, 2))
        self.conv3 = nn.Conv3d(1, 2, 2)
        self.up1 = nn.ConvTranspose1d(2, 3, 3)
        self.up2 = nn.ConvTranspose2d(2, 3, 2)
        self.bn1 = nn.BatchNorm1d(3)
        self.bn2 = nn.BatchNorm2d(4)
        self.ln = nn.LayerNorm(6)
        self.gn = nn.GroupNorm(2, 4)
        self.rms = nn.RMSNorm(6)
        self.prelu = nn.PReLU(3)
        self.emb = nn.Embedding(7, 4)
        self.lin = nn.Linear(4, 6)
        self.lin_nobias = nn.Linear(6, 2, bias=False)
        self.blocks = nn.ModuleList([Block(), Block(), Block()])


class Act(nn.Enum):
    pass


class Odd(Module):
    """An enum, an optional layer that is there and one that is not, a tuple, a list, integers and truths.

    It is a module of burnpack's, whose children may be in lists and tuples as Burn's are.
    """

    def __init__(self):
        self.act = Act(Prelu=nn.PReLU(2))
        self.opt_none = None
        self.opt_some = nn.Linear(2, 3)
        self.pair = (nn.Linear(2, 2), nn.Linear(2, 1))
        self.arr = [nn.Linear(1, 2), nn.Linear(1, 3)]
        self.ids = nn.Param((3,), "I32")
        self.mask = nn.Param((2, 2), "Bool")


class Head(nn.Module):
    def __init__(self):
        self.fc = nn.ModuleList([nn.Linear(4, 2), nn.Linear(2, 1)])


class Seq(nn.Module):
    """What was a row of layers with others between them, so that its indices have gaps in PyTorch's file."""

    def __init__(self):
        self.body = nn.ModuleList([nn.Linear(3, 5), nn.Linear(5, 4), nn.Linear(4, 4)])
        self.head = Head()


# PyTorch's index of each layer in the rows of `Seq`, and Burn's
CLOSED_UP = (
    ("body.2.", "body.1."),
    ("body.5.", "body.2."),
    ("head.fc.1.", "head.fc.0."),
    ("head.fc.4.", "head.fc.1."),
)
