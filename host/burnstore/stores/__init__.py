"""The stores: what a module is loaded from and saved into, as files and in memory.

    store = SafetensorsStore.from_file("model.safetensors").with_from_adapter(PyTorchToBurnAdapter())
    result = model.load_from(store)

Every option returns the store, so that calls chain; nothing is opened before it is needed. A store keeps
its file open until `close`, or the end of a `with`; parameters that were loaded stay valid after that.

    file_store   what all three share: a file, names changed, closing
    writable     what the two that save share
    burnpack safetensors pytorch   a format each
    top_level    the key of a PyTorch checkpoint under which the weights are
"""

from burnstore.stores.burnpack import BurnpackStore
from burnstore.stores.pytorch import PytorchStore
from burnstore.stores.safetensors import SafetensorsStore

__all__ = ["BurnpackStore", "PytorchStore", "SafetensorsStore"]
