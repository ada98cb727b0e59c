"""PyTorch checkpoints, read without torch.

A file is read in these steps, in this order:

    containers   which container it is; `archive` (zip), `legacy`, `tar`, `bare` find pickle and storages
    unpickler    the pickle, as `objects` that stand for what it describes: `opcodes`, `opcodes_stack`,
                 `opcodes_numbers` and `opcodes_data` are all that it may do, `budget` what that may cost
    allowed      the names in a pickle that mean something: `rebuild` (tensors), `builders`, `numpy_values`
    modules, torchscript
                 objects that keep their tensors in attributes
    constants    the weights of frozen TorchScript, named by its code
    flatten      nested objects as a list of tensors with names; `describe` is for what is no tensor,
                 `left_out` for what is like one and is not read
    layout       each tensor checked against its `storage`
    gather       the bytes of a tensor: a slice of its record, or put in order (`strided`, with numpy)
    deflated     packed records, each expanded once
    tensors      tensors whose bytes come in pieces, and those that can't be read
    reader       all of this as one container
    config       what a checkpoint says besides its tensors; `plain` makes plain values of its objects
"""
