"""A model is found by its name, and answers the same from wherever it was found."""

import io
import struct
import sys

from burnpack.errors import BurnpackError, InvalidTensor, NotFound
from burnpack.tensor import Tensor
from burnpack.writer import Writer
from burnrt import blob, nn, tensor
from kit import support

INPUTS = (0.5, -1.25, 3.0, 2.0)


class Holder:
    """A module of the firmware, as `sys.modules` has it."""


def floats(count, number):
    return struct.pack("<%df" % count, *[number + index * 0.37 for index in range(count)])


def container():
    weight = Tensor("weight", "F32", (4, 3), floats(12, -1.5))
    bias = Tensor("bias", "F32", (3,), floats(3, 0.25))
    return Writer([weight, bias]).to_bytes()


def answer_of(found):
    model = nn.Linear(4, 3)
    model.load_from(found.store())
    return list(model(tensor(INPUTS, (1, 4)))[0])


def file_of(data):
    return blob.Blob("a file", "file", None, False, io.BytesIO(data))


def memory_of(data):
    return blob.Blob("memory", "module", memoryview(data))


def found_in_module(name, data, path=None):
    """Return what is found while there is a module with this DATA."""
    module = Holder()
    module.DATA = data
    if path is not None:
        module.__file__ = path
    sys.modules[name] = module
    try:
        return blob.find(name, "no/such/rom/", "no/such/folder/")
    finally:
        sys.modules.pop(name)


def test_a_module_of_the_firmware_is_found_first_and_lies_in_flash():
    data = container()
    found = found_in_module("a_frozen_model", data)
    assert (found.storage, found.in_flash, found.size) == ("module", True, len(data))
    assert bytes(found.view) == data
    assert len(set(answer_of(found))) == 3


# where a module says it comes from, and whether its constants are used in flash
ORIGINS = (
    (None, True),
    ("a_frozen_model.py", True),
    ("/rom/a_model.mpy", True),
    ("/rom/a_model.py", False),
    (__file__, False),
)


def test_a_modules_bytes_are_in_flash_unless_it_was_read_from_a_file():
    for path, expected in ORIGINS:
        assert found_in_module("a_model", container(), path).in_flash is expected, path


def test_a_module_whose_data_are_no_bytes_is_passed_by():
    for data in (None, "text", bytearray(4), [1, 2]):
        assert isinstance(support.raises(NotFound, found_in_module, "a_model", data), NotFound)


def test_a_module_without_data_is_passed_by_for_a_file_of_its_name():
    folder = support.path("tests/vectors/burnpack_basic/")
    sys.modules["today"] = Holder()
    try:
        found = blob.find("today", "no/such/rom/", folder)
    finally:
        sys.modules.pop("today")
    assert found.storage == "file"
    found.close()


def test_a_file_is_found_with_and_without_its_suffix_and_read_tensor_by_tensor():
    folder = support.path("tests/vectors/burnpack_basic/")
    whole = memory_of(support.read(folder + "today.bpk"))
    for name in ("today", "today.bpk"):
        found = blob.find(name, "no/such/rom/", folder)
        assert (found.storage, found.view, found.in_flash, found.alignment) == ("file", None, False, None)
        assert found.is_aligned()
        assert found.size == whole.size
        reader = found.reader()
        assert sorted(reader.names()) == sorted(whole.reader().names())
        for wanted in whole.reader():
            buffer = bytearray(wanted.nbytes)
            reader.tensor(wanted.name).readinto(buffer)
            assert buffer == wanted.data(), wanted.name
        found.close()


def test_a_safetensors_file_is_found_too():
    found = blob.find("layers", "no/such/rom/", support.path("tests/vectors/layers/"))
    assert len(found.reader().names()) > 1
    found.close()


def test_what_is_nowhere_is_not_found_and_the_error_names_it():
    for name in ("no_such_model", "no/such/model", "no.such.model", ""):
        error = support.raises(NotFound, blob.find, name, "no/such/rom/", "no/such/folder/")
        assert error.item == name
        assert "no/such/rom/" in str(error)


def test_every_storage_and_every_address_give_the_same_answer():
    data = container()
    expected = answer_of(memory_of(data))
    assert answer_of(file_of(data)) == expected
    assert answer_of(file_of(data).into(bytearray(len(data)))) == expected
    for shift in range(17):
        moved = memory_of(memoryview(bytes(shift) + data)[shift:])
        assert answer_of(moved) == expected, shift


def test_alignment_is_that_of_the_address():
    if blob.addressof is None:
        assert blob.alignment_of(bytes(300)) == 1
        return
    view = memoryview(bytes(1024))
    start = -blob.addressof(view) % 256
    expected = {0: 256, 1: 1, 2: 2, 4: 4, 8: 8, 16: 16, 24: 8, 32: 32, 64: 64, 128: 128, 256: 256}
    for offset in sorted(expected):
        found = memory_of(view[start + offset :])
        assert found.alignment == expected[offset], offset
        assert found.is_aligned() is (expected[offset] >= 16), offset


def test_a_file_is_read_into_a_buffer_that_was_made_early():
    data = container()
    buffer = bytearray(len(data))
    found = file_of(data).into(buffer)
    assert buffer == data
    assert found.view is not None and not found.in_flash
    assert memory_of(data).into(bytearray(len(data))).size == len(data)


def test_a_buffer_of_another_size_is_refused():
    data = container()
    for found in (file_of(data), memory_of(data)):
        for size in (0, len(data) - 1, len(data) + 1):
            error = support.raises(InvalidTensor, found.into, bytearray(size))
            assert (error.expected, error.found) == (len(data), size)


class Watched:
    """A file that remembers the most bytes that were asked for at once."""

    def __init__(self, data):
        self._file = io.BytesIO(data)
        self.most = 0

    def seek(self, offset, whence=0):
        return self._file.seek(offset, whence)

    def read(self, size):
        self.most = max(self.most, size)
        return self._file.read(size)

    def readinto(self, buffer):
        self.most = max(self.most, len(buffer))
        return self._file.readinto(buffer)


def test_a_file_is_read_one_tensor_at_a_time_each_once():
    sizes = (4000, 1200, 3200)
    tensors = [Tensor("t%d" % index, "U8", (size,), bytes(size)) for index, size in enumerate(sizes)]
    file = Watched(Writer(tensors).to_bytes())

    class Net(nn.Module):
        def __init__(self):
            self.t0 = nn.Param((4000,), "U8")
            self.t1 = nn.Param((1200,), "U8")
            self.t2 = nn.Param((3200,), "U8")

    net = Net()
    net.load_from(blob.Blob("a file", "file", None, False, file).store())
    assert file.most == max(sizes)
    assert [len(param.data) for param in (net.t0, net.t1, net.t2)] == list(sizes)


def test_a_loaded_model_answers_after_its_file_is_closed():
    found = file_of(container())
    model = nn.Linear(4, 3)
    model.load_from(found.store())
    found.close()
    assert list(model(tensor(INPUTS, (1, 4)))[0]) == answer_of(memory_of(container()))


def test_each_prefix_of_a_model_is_refused_on_both_storages():
    data = container()
    for size in (0, 1, 4, 9, 10, 100, len(data) - 1):
        for found in (file_of(data[:size]), memory_of(data[:size])):
            error = support.raises(BurnpackError, found.store)
            assert isinstance(error, BurnpackError), size


def image(name, data, alignment):
    """Return a ROMFS image of one file, whose data is that many bytes behind a multiple of 256."""
    inner = bytes([len(name)]) + name.encode()
    size = b"\x02" + number(len(data))
    start = 3 + 5 + 1 + 5 + len(inner) + 1 + 5 + len(size)
    gap = (alignment - start) % 256
    inner += b"\x01" + number(gap) + bytes(gap) + size + data
    record = b"\x05" + number(len(inner)) + inner
    record += b"\x01\x01\x00" if len(record) % 2 else b""
    return b"\xd2\xcd\x31" + number(len(record)) + record


def number(value):
    """Return five bytes with a number, as ROMFS has it."""
    groups = [value >> shift & 0x7F | 0x80 for shift in (28, 21, 14, 7)]
    return bytes(groups + [value & 0x7F])


def test_romfs_is_read_in_place_wherever_its_builder_put_the_data():
    try:
        from vfs import VfsRom, mount, umount
    except ImportError:
        support.skip("this interpreter has no vfs.VfsRom")
    data = container()
    expected = answer_of(memory_of(data))
    for alignment in (0, 16, 1, 2):
        made = image("net.bpk", data, alignment)
        mount(VfsRom(made), "/test_rom")
        try:
            for name in ("net", "net.bpk"):
                found = blob.find(name, "/test_rom/", "no/such/folder/")
                assert (found.storage, found.in_flash, found.size) == ("rom", True, len(data))
                assert blob.addressof(found.view) - blob.addressof(made) == made.find(data[:64])
                assert (blob.addressof(found.view) - blob.addressof(made) - alignment) % 256 == 0
                assert answer_of(found) == expected, alignment
        finally:
            umount("/test_rom")
