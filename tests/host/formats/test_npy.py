"""Files of arrays: what numpy writes is read, and all else ends in one `BurnpackError`."""

import io
import pickle
import struct
import subprocess
import sys
import warnings
import zipfile
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnpack.errors import BurnpackError
from burnstore.io.npy import load_array, parse_npy
from burnstore.io.npz import EXPANDED_MOST
from burnstore.models.given import cases_in, load_input, named_arrays
from kit import support

FLOATS = np.arange(12, dtype="<f4").reshape(3, 4)
DATA = FLOATS.tobytes()


def npy(header, data=DATA, version=b"\1\0", size=None):
    """Return a file with this header, as text or bytes."""
    header = header if isinstance(header, bytes) else header.encode("utf-8")
    count = len(header) if size is None else size
    return b"\x93NUMPY" + version + struct.pack("<H" if version[0] == 1 else "<I", count) + header + data


def facts(descr="'<f4'", order="False", shape="(3, 4)", more=""):
    return "{'descr': %s, 'fortran_order': %s, 'shape': %s, %s}" % (descr, order, shape, more)


READ = {
    "as numpy writes it": npy(facts()),
    "in another order of keys": npy("{'shape': (3, 4), 'descr': '<f4', 'fortran_order': False}"),
    "with tabs": npy("\t{'descr':\t'<f4',\t'fortran_order':\tFalse,\t'shape':\t(3,\t4)}\t\n"),
    "of Python 2": npy(facts(shape="(3L, 4L)")),
    "of version 2": npy(facts(), version=b"\2\0"),
    "of version 3": npy(facts(), version=b"\3\0"),
    "in columns": npy(facts(order="True"), FLOATS.tobytes("F")),
    "big-endian": npy(facts("'>f4'"), FLOATS.astype(">f4").tobytes()),
    "of doubles": npy(facts("'<f8'"), FLOATS.astype("<f8").tobytes()),
    "of bytes": npy(facts("'|u1'"), FLOATS.astype("u1").tobytes()),
}


@pytest.mark.parametrize("data", READ.values(), ids=READ)
def test_arrays_of_real_numbers_are_read(tmp_path, data):
    (tmp_path / "x.npy").write_bytes(data)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(load_array(tmp_path / "x.npy"), FLOATS)


@pytest.mark.parametrize("dtype", "f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 ?".split())
@pytest.mark.parametrize("shape", ((), (0,), (3,), (2, 0, 3), (2, 3, 4)))
def test_what_numpy_saves_is_read_as_numpy_reads_it(tmp_path, dtype, shape):
    array = (np.arange(np.prod(shape, dtype=int)) % 2).astype(dtype).reshape(shape)
    np.save(tmp_path / "x.npy", array)
    found = load_array(tmp_path / "x.npy")
    assert found.dtype == array.dtype
    np.testing.assert_array_equal(found, array)


def objects():
    file = io.BytesIO()
    np.save(file, np.array([None, {}]), allow_pickle=True)
    return file.getvalue()


REFUSED = {
    "nothing": b"",
    "a magic alone": b"\x93NUMPY",
    "half a version": b"\x93NUMPY\1",
    "no size": b"\x93NUMPY\1\0\1",
    "an unknown version": npy(facts(), version=b"\4\0"),
    "an unclosed string": npy("{'descr': '<f4"),
    "an unclosed tuple": npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,\n"),
    "a text": npy("hello"),
    "a number": npy("7"),
    "nothing in it": npy(""),
    "a sign behind it that is a space in text alone": npy(facts() + " \x1e "),
    "zero bytes": npy(b"\0" * 60),
    "bytes that are no text": npy(b"\xff" * 60, version=b"\3\0"),
    "a key too few": npy("{'descr': '<f4', 'shape': (3, 4)}"),
    "a key too many": npy(facts(more="'more': 1")),
    "keys of other types": npy("{1: 2, (): 3, b'': 4}"),
    "keys that have no hash": npy("{[]: 2}"),
    "a call": npy("dict(descr='<f4')"),
    "a list for a shape": npy(facts(shape="[3, 4]")),
    "a number for a shape": npy(facts(shape="12")),
    "floats in a shape": npy(facts(shape="(3.0, 4)")),
    "text in a shape": npy(facts(shape="('3', 4)")),
    "bools in a shape": npy(facts(shape="(True, 12)")),
    "negative extents": npy(facts(shape="(-3, -4)")),
    "one negative extent": npy(facts(shape="(-1, 4)")),
    "a huge shape": npy(facts(shape="(99999999999, 3)")),
    "a shape beyond numbers": npy(facts(shape="(99999999999999999999999, 3)")),
    "a shape beyond Python's": npy(facts(shape="(%s,)" % ("9" * 5000))),
    "no numbers, and a shape beyond numbers": npy(facts(shape="(0, 9223372036854775807, 2)"), b""),
    "many dimensions": npy(facts(shape="(%s)" % ("1, " * 40)), DATA[:4]),
    "a number for an order": npy(facts(order="1")),
    "a text for an order": npy(facts(order="'False'")),
    "a number for a type": npy(facts("4")),
    "an unknown type": npy(facts("'q9'")),
    "a type of no size": npy(facts("'<f'")),
    "a type that is out of date": npy(facts("'a4'")),
    "complex numbers": npy(facts("'<c8'")),
    "text in it": npy(facts("'<U1'")),
    "times": npy(facts("'<M8[s]'")),
    "bytes without a meaning": npy(facts("'|V4'")),
    "objects": npy(facts("'|O'")),
    "pickled objects": objects(),
    "records": npy(facts("[('a', '<f4')]")),
    "records of records": npy(facts("[('a', [('b', '<f4')])]")),
    "numbers in groups": npy(facts("('<f4', (2,))")),
    "numbers cut short": npy(facts(), DATA[:-1]),
    "no numbers at all": npy(facts(), b""),
    "more than its numbers": npy(facts(), DATA + b"\0"),
    "another array behind it": npy(facts()) + npy(facts()),
    "a size that is too small": npy(facts(), size=20),
    "a size that is too large": npy(facts(), size=70),
    "a size beyond the file": npy(facts(), size=9_999),
    "a header of 10 MB": npy(facts() + " " * 10_000_000, version=b"\2\0"),
    "a size of 4 GB": npy(facts(), size=0xFFFFFFFF, version=b"\2\0"),
    "parentheses": npy("(" * 9_000),
    "closed parentheses": npy("(" * 4_000 + ")" * 4_000),
    "brackets in a dict": npy("{'descr': %s" % ("[" * 9_000)),
    "signs": npy("-" * 9_000 + "1"),
    "an escape": npy(r"{'\d': '\N{nothing}'}"),
    "a pickle": pickle.dumps([1, 2]),
    "a zip": b"PK\3\4" + bytes(60),
    "text alone": b"1 2 3",
}


@pytest.mark.parametrize("data", REFUSED.values(), ids=REFUSED)
def test_what_is_no_array_is_refused(tmp_path, data):
    (tmp_path / "x.npy").write_bytes(data)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for read in (load_array, load_input):
            with pytest.raises(BurnpackError, match="not an array") as raised:
                read(tmp_path / "x.npy")
            assert "x.npy" in str(raised.value) and "\n" not in str(raised.value)


def test_a_header_that_ends_in_a_string_is_refused():
    with pytest.raises(BurnpackError, match="not an array"):
        load_array(support.data("reports/unclosed.npy"))


@given(st.binary(max_size=200))
def test_any_header_is_read_or_refused(header):
    for version in (b"\1\0", b"\2\0", b"\3\0"):
        try:
            parse_npy(memoryview(npy(header, b"", version)), "x.npy")
        except BurnpackError:
            continue


@given(st.integers(0, 200), st.integers(0, 255))
def test_a_damaged_byte_is_read_or_refused(place, value):
    file = io.BytesIO()
    np.save(file, FLOATS)
    data = bytearray(file.getvalue())
    data[place % len(data)] = value
    with suppress(BurnpackError):
        parse_npy(memoryview(data), "x.npy")


def test_each_shorter_file_is_refused(tmp_path):
    file = io.BytesIO()
    np.save(file, FLOATS)
    for size in range(len(file.getvalue())):
        with pytest.raises(BurnpackError):
            parse_npy(memoryview(file.getvalue()[:size]), "x.npy")


@pytest.mark.parametrize("save", (np.savez, np.savez_compressed))
def test_arrays_with_names_are_read_in_the_order_of_their_numbers(tmp_path, save):
    arrays = {f"input{place}": np.full((1, 2), place) for place in reversed(range(12))}
    save(tmp_path / "x.npz", output0=FLOATS, notes=FLOATS, **arrays)
    found = named_arrays(tmp_path / "x.npz", "input")
    assert [array[0, 0] for array in found] == list(range(12))
    np.testing.assert_array_equal(named_arrays(tmp_path / "x.npz", "output")[0], FLOATS)


NAMES = {
    "none of the role": ({"arr_0": FLOATS}, "one called input0 (found arr_0)"),
    "one left out": ({"input0": FLOATS, "input2": FLOATS}, "input1: left out"),
    "one that does not begin": ({"input1": FLOATS}, "input0: left out"),
    "a number written otherwise": ({"input00": FLOATS}, "input0: left out"),
    "objects": ({"input0": np.array([None, {}])}, "input0: not an array of real numbers"),
    "text": ({"input0": np.array(["a"])}, "input0: not an array of real numbers"),
}


@pytest.mark.parametrize(("arrays", "what"), NAMES.values(), ids=NAMES)
def test_names_and_arrays_that_do_not_fit_are_refused(tmp_path, arrays, what):
    np.savez(tmp_path / "x.npz", **arrays)
    with pytest.raises(BurnpackError) as raised:
        named_arrays(tmp_path / "x.npz", "input")
    assert what in str(raised.value) and "x.npz" in str(raised.value)


def test_a_damaged_zip_is_refused(tmp_path):
    np.savez_compressed(tmp_path / "x.npz", input0=FLOATS)
    data = (tmp_path / "x.npz").read_bytes()
    for size in range(4, len(data), 7):
        (tmp_path / "y.npz").write_bytes(data[:size])
        with pytest.raises(BurnpackError):
            named_arrays(tmp_path / "y.npz", "input")
    for place in range(4, len(data)):
        (tmp_path / "y.npz").write_bytes(data[:place] + bytes([data[place] ^ 0x55]) + data[place + 1 :])
        try:
            named_arrays(tmp_path / "y.npz", "input")
        except BurnpackError as error:
            assert "y.npz" in str(error)


@pytest.mark.parametrize("save", (np.savez, np.savez_compressed))
def test_numbers_in_a_zip_that_have_another_checksum_are_refused(save, tmp_path):
    save(tmp_path / "x.npz", input0=FLOATS)
    data = (tmp_path / "x.npz").read_bytes()
    with zipfile.ZipFile(tmp_path / "x.npz") as archive:
        checksum = archive.getinfo("input0.npy").CRC.to_bytes(4, "little")
    (tmp_path / "y.npz").write_bytes(data.replace(checksum, bytes(4)))
    with pytest.raises(BurnpackError, match=r"input0.*another checksum"):
        named_arrays(tmp_path / "y.npz", "input")


BOMB = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
from burnpack.errors import LimitExceeded
from burnstore.models.given import named_arrays
try:
    named_arrays(sys.argv[1], "input")
except LimitExceeded as error:
    print(error)
"""


def test_what_packed_arrays_expand_to_is_limited(tmp_path):
    header = npy(facts("'|u1'", shape="(%d,)" % EXPANDED_MOST), b"")
    with (
        zipfile.ZipFile(tmp_path / "x.npz", "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("input0.npy", "w", force_zip64=True) as target,
    ):
        target.write(header)
        for _ in range(EXPANDED_MOST >> 20):
            target.write(bytes(1 << 20))
    done = subprocess.run(
        [sys.executable, "-c", BOMB, tmp_path / "x.npz"], capture_output=True, text=True, check=True
    )
    assert "expand to too much" in done.stdout, done.stderr


def test_arrays_of_plain_files_are_dealt_out_to_cases(tmp_path):
    paths = []
    for place in range(4):
        paths.append(tmp_path / f"{place}.npy")
        np.save(paths[-1], np.full((1, 2), place))

    def dealt(size):
        return [[int(array[0, 0]) for array in case] for case in cases_in(paths, "input", size)]

    assert dealt(1) == [[0], [1], [2], [3]]
    assert dealt(2) == [[0, 1], [2, 3]]
    assert dealt(None) == [[0, 1, 2, 3]]
    with pytest.raises(BurnpackError, match="1 too many or 2 too few"):
        dealt(3)
