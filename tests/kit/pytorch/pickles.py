"""Pickles and checkpoints put together by hand: good ones, and what no pickler would write.

Each function returns the bytes of operations that leave one value on the stack. They are put inside each
other as the values are: `checkpoint(a_dict({"w": tensor("0", 4)}), {"0": bytes(16)})`.
"""

import io
import struct
import tarfile
import warnings
import zipfile


def text(value):
    """A text of any length."""
    data = value.encode("utf-8", "surrogatepass")
    return b"X" + struct.pack("<I", len(data)) + data


def integer(value):
    """An integer of any size."""
    data = value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True)
    size = b"\x8a" + bytes((len(data),)) if len(data) < 256 else b"\x8b" + struct.pack("<i", len(data))
    return size + data


def value(item):
    """A plain value, or operations as they are."""
    if isinstance(item, bytes):
        return item
    if item is None or isinstance(item, bool):
        return {None: b"N", True: b"\x88", False: b"\x89"}[item]
    if isinstance(item, float):
        return b"G" + struct.pack(">d", item)
    return integer(item) if isinstance(item, int) else text(item)


def raw(data):
    """Bytes."""
    return b"B" + struct.pack("<I", len(data)) + data


def a_tuple(*items):
    """A tuple of values."""
    return b"(" + b"".join([value(item) for item in items]) + b"t"


def a_list(*items):
    """A list of values."""
    return b"](" + b"".join([value(item) for item in items]) + b"e"


def a_dict(pairs):
    """A dict; pairs: a dict, or (key, value) pairs where a key comes twice."""
    pairs = pairs.items() if isinstance(pairs, dict) else pairs
    return b"}(" + b"".join([value(key) + value(item) for key, item in pairs]) + b"u"


def doubled(times):
    """A tuple that holds the one before twice, and so on: 2**times empty tuples at its ends. It is memo 0."""
    return b")q\x00" + b"0h\x00h\x00\x86q\x00" * times


def name(module, attribute):
    """A class or function by its name."""
    return f"c{module}\n{attribute}\n".encode()


def call(function, *arguments):
    """What a call returns."""
    return function + a_tuple(*arguments) + b"R"


def storage(key, count, kind="FloatStorage"):
    """A storage of `count` elements."""
    return a_tuple("storage", name("torch", kind), key, "cpu", count) + b"Q"


def ordered_dict():
    """An empty OrderedDict."""
    return call(name("collections", "OrderedDict"))


def tensor(key, count, shape=None, stride=None, offset=0, kind="FloatStorage"):
    """A tensor over the storage `key` of `count` elements: all of them in a row, if nothing else is said."""
    shape = (count,) if shape is None else shape
    stride = contiguous(shape) if stride is None else stride
    function = name("torch._utils", "_rebuild_tensor_v2")
    return call(
        function, storage(key, count, kind), offset, a_tuple(*shape), a_tuple(*stride), False, ordered_dict()
    )


def contiguous(shape):
    """Return the strides of a row-major tensor."""
    strides = []
    step = 1
    for extent in reversed(shape):
        strides.append(step)
        step *= extent
    return tuple(reversed(strides))


def pickled(operations):
    """A whole pickle, of protocol 2."""
    return b"\x80\x02" + operations + b"."


def archive(records, method=zipfile.ZIP_STORED, top="archive/"):
    """A zip archive; records: name → bytes, or (name, bytes) pairs where a name comes twice."""
    file = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(file, "w", method) as target:
        warnings.simplefilter("ignore")  # about names that come twice
        for record, data in records.items() if isinstance(records, dict) else records:
            target.writestr(zipfile.ZipInfo(top + record), data, method)
    return file.getvalue()


def checkpoint(operations, storages=None, method=zipfile.ZIP_STORED, **facts):
    """A checkpoint in a zip archive; storages: key → bytes; facts: more records, such as byteorder."""
    records = {"data.pkl": pickled(operations), "byteorder": b"little", "version": b"3\n"}
    records.update({fact: data for fact, data in facts.items() if data is not None})
    records.update({f"data/{key}": data for key, data in (storages or {}).items()})
    return archive(records, method)


def of_arrays(arrays):
    """Return the bytes of a checkpoint with these float32 arrays, {name: array}."""
    operations = {
        name: tensor(str(number), array.size, array.shape)
        for number, (name, array) in enumerate(arrays.items())
    }
    storages = {str(number): array.tobytes() for number, array in enumerate(arrays.values())}
    return checkpoint(a_dict(operations), storages)


def tar(members):
    """A tar archive; members: name → bytes."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for member, data in members.items():
            entry = tarfile.TarInfo(member)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return file.getvalue()


def legacy(operations, storages, keys=None, magic=0x1950A86A20F9469CFC6C, version=1001):
    """A legacy checkpoint; storages: key → (count that is written, bytes); keys: those of the list."""
    keys = list(storages) if keys is None else keys
    pickles = [integer(magic), integer(version), a_dict({}), operations, a_list(*keys)]
    data = b"".join([pickled(each) for each in pickles])
    return data + b"".join([struct.pack("<q", count) + raw for count, raw in storages.values()])


def legacy_tensor(key, count, shape, part=None, kind="FloatStorage"):
    """A contiguous tensor over a storage of a legacy file, or over a part of one: (key, offset, count)."""
    fields = ("storage", name("torch", kind), key, "cpu", count, None if part is None else a_tuple(*part))
    function = name("torch._utils", "_rebuild_tensor_v2")
    strides = a_tuple(*contiguous(shape))
    return call(function, a_tuple(*fields) + b"Q", 0, a_tuple(*shape), strides, False, ordered_dict())
