"""The stores: what a module is loaded from and saved into, as files and in memory.

    store = SafetensorsStore.from_file("model.safetensors").with_from_adapter(PyTorchToBurnAdapter())
    result = model.load_from(store)

A store says by Burn's methods what is asked for, and keeps it as `pipeline.options.Options`; what is done is
done by the functions of `pipeline`. Every option returns the store, so that calls chain; nothing is opened
before it is needed. A store keeps its file open until `close`, or the end of a `with`; parameters that
were loaded stay valid after that.

    store    what all three share: a file or bytes, and loading
    saving   what the two share that save
    burnpack safetensors pytorch   a format each
"""

from burnstore.stores.burnpack import BurnpackStore
from burnstore.stores.pytorch import PytorchStore
from burnstore.stores.safetensors import SafetensorsStore

__all__ = ["BurnpackStore", "PytorchStore", "SafetensorsStore"]
