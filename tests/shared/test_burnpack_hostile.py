"""What a Burnpack reader makes of damaged and hostile files: refused with a reason, or read right."""

from burnpack.errors import BurnpackError, LimitExceeded, Malformed, NotFound, Truncated
from burnpack.limits import Limits
from burnpack.reader import Reader
from kit import support
from kit.formats import burnpack_accepted, burnpack_refused, burnpack_refused_cbor, burnpack_refused_kinds
from kit.formats.burnpack_by_hand import F32, container, descriptor, one, sections
from kit.formats.cbor_by_hand import MAP, NULL, array, head, mapping, numbers, opened, tagged, text

MUTATIONS = 40  # of each file, on every interpreter; the host's own tests make thousands


def test_what_breaks_a_rule_is_refused_with_its_reason():
    for table in (burnpack_refused, burnpack_refused_cbor, burnpack_refused_kinds):
        for what, data, error_class, words in table.refused():
            error = refusal(data)
            assert type(error) is error_class, (what, error)
            assert words in str(error), (what, str(error))


def test_what_keeps_every_rule_is_read():
    for what, data, held in burnpack_accepted.accepted():
        reader = Reader.from_static(data)
        assert reader.names() == [row[0] for row in held], what
        assert contents(reader) == held, (what, contents(reader))


def refusal(data, limits=None):
    """Return the error with which a reader refuses `data`, or None where it takes it."""
    try:
        Reader.from_static(data, limits)
    except BurnpackError as error:
        return error
    return None


def contents(reader):
    tensors = [reader.tensor(name) for name in reader.names()]
    return [(item.name, item.dtype, item.shape, bytes(item.data()), item.param_id) for item in tensors]


def test_the_error_says_which_file_which_tensor_what_was_expected_and_where():
    broken = one(descriptor(F32, numbers(2, 3), numbers(0, 20)))
    error = support.raises(BurnpackError, Reader.from_bytes, broken, None, "some/model.bpk")
    assert str(error) == (
        "some/model.bpk: w: the bytes do not match F32 [2, 3] (expected 24 bytes, found 20 bytes, at byte 22)"
    )
    assert broken[22] >> 5 == MAP  # there begins the descriptor
    assert (error.source, error.item, error.offset) == ("some/model.bpk", "w", 22)


def test_an_error_keeps_to_one_line_of_plain_letters():
    name = "a\x1b[31m\n\r\0\x7f\x9b31m\u2028\u202e"
    data = container(sections([(name, descriptor(text("nothing\n\x1b[0m")))]))
    for error in (refusal(data), support.raises(NotFound, good().tensor, name)):
        assert all([" " <= letter < "\x7f" for letter in str(error)]), str(error)
    assert len(str(support.raises(NotFound, good().tensor, "x" * 100000))) < 1000


def good():
    return Reader.from_static(one(descriptor()))


def test_every_shorter_prefix_of_a_small_container_is_truncated():
    for what, data, _ in burnpack_accepted.of_layouts():
        if len(data) < 400:
            check_prefixes(what, data)


def test_every_shorter_prefix_of_a_container_without_tensors_is_truncated():
    for name in ("nothing", "scalars_only"):
        check_prefixes(name, support.read(support.data("rust/%s.bpk" % name)))


def test_every_shorter_prefix_of_a_container_with_scalars_is_truncated():
    check_prefixes("scalars", support.read(support.data("rust/scalars.bpk")))


def test_every_shorter_prefix_of_a_file_of_burn_0_19_is_truncated():
    check_prefixes("0.19", support.read(support.data("rust/burn_0.19.bpk")))


def test_every_shorter_prefix_of_a_file_of_burn_0_20_is_truncated():
    check_prefixes("0.20", support.read(support.data("rust/burn_0.20.bpk")))


def test_every_shorter_prefix_of_a_quantized_file_of_burn_0_20_is_truncated():
    check_prefixes("0.20", support.read(support.data("rust/burn_0.20_q8s_block.bpk")))


def test_every_shorter_prefix_of_a_file_with_empty_tensors_is_truncated():
    check_prefixes("shapes", support.read(support.data("rust/shapes.bpk")))


def check_prefixes(what, data):
    view = memoryview(data)
    for length in support.some(len(data)):
        error = refusal(view[:length])
        assert type(error) is Truncated, (what, length, error)


def test_a_file_that_lost_exactly_its_padding_is_not_taken_for_a_packed_one():
    for name in (
        "burn_0.20",
        "burn_0.20_q8s",
        "burn_0.20_q8s_block",
        "burn_0.21",
        "scalars",
        "zoo",
        "nothing",
    ):
        data = support.read(support.data("rust/%s.bpk" % name))
        padding = -(10 + metadata_size(data)) % 256
        error = refusal(data[: len(data) - padding])
        assert padding and type(error) is Truncated, (name, padding, error)
        assert error.expected == len(data) and error.found == len(data) - padding, name


def test_one_aligned_tensor_that_lost_exactly_its_padding_is_not_taken_for_a_packed_one():
    for version in ("0.20.1", "0.22.1", "1.0.19"):
        texts = ("metadata", mapping(("version", text(version))))
        data = container(
            sections([("w", descriptor(text("U8"), numbers(300), numbers(0, 300)))], texts), b"\x07" * 300
        )
        padding = -(10 + metadata_size(data)) % 256
        assert type(refusal(data[: len(data) - padding])) is Truncated, version


def metadata_size(data):
    return int.from_bytes(data[6:10], "little")


def test_metadata_cut_at_every_byte_is_truncated():
    for what, data, _ in burnpack_accepted.accepted():
        size = metadata_size(data)
        if size < 120:
            for shorter in support.some(size):
                error = refusal(container(data[10 : 10 + shorter]))
                assert type(error) is Truncated, (what, shorter, error)


def test_bytes_behind_the_end_are_refused_in_every_layout():
    for what, data, _ in burnpack_accepted.of_layouts():
        padding = -(10 + metadata_size(data)) % 256
        for more in (1, padding - 1, padding + 1, 256, 10000):
            error = refusal(data + bytes(more))
            assert type(error) in (Malformed, Truncated), (what, more, error)


def test_a_packed_file_that_grew_as_long_as_one_of_today_is_not_taken_for_one():
    rows = burnpack_accepted.of_layouts()
    packed = [data for _, data, held in rows if held and not data.endswith(b"\0")]
    for data in [support.read(support.data("rust/burn_0.19.bpk"))] + packed:
        padding = -(10 + metadata_size(data)) % 256
        for byte in (b"\0", b"\1"):
            assert type(refusal(data + byte * padding)) is Malformed, data


def test_a_packed_file_of_another_length_is_told_the_length_it_should_have():
    data = support.read(support.data("rust/burn_0.19.bpk"))
    for changed, error_class in (
        (data[:-1], Truncated),
        (data + b"\0", Malformed),
        (data + bytes(300), Malformed),
    ):
        error = refusal(changed)
        assert type(error) is error_class
        assert (error.expected, error.found) == (len(data), len(changed))


def test_values_may_be_nested_as_deep_as_the_limit_and_no_deeper():
    limits = Limits(depth=40)
    for nest in (lambda item: array(item), lambda item: mapping(("a", item)), lambda item: tagged(1, item)):
        for depth, good in ((39, True), (40, False), (1000, False)):
            item = NULL
            for _ in range(depth):
                item = nest(item)
            error = refusal(container(sections([("w", descriptor())], ("x", item)), b"\x07"), limits)
            assert (error is None) if good else type(error) is LimitExceeded, (depth, error)


def test_endless_nesting_ends_in_an_error():
    for start in (b"\x81", b"\x9f", head(MAP, 1) + b"\x00", opened(MAP) + b"\x00", b"\xc1"):
        item = start * 20000
        assert type(refusal(container(mapping(("x", item))))) in (LimitExceeded, Truncated)
        assert isinstance(refusal(container(mapping(("tensors", item)))), BurnpackError)
        assert isinstance(refusal(container(item)), BurnpackError)


def test_every_limit_can_be_lowered_and_raised():
    data = container(
        sections([("a", descriptor()), ("b", descriptor(text("U8"), None, numbers(256, 257)))]), bytes(257)
    )
    size = metadata_size(data)
    cases = (
        ("metadata", size - 1, size, "metadata is too large"),
        ("tensors", 1, 2, "too many tensors"),
        ("tensor", 0, 1, "tensor is too large"),
        ("file", len(data) - 1, len(data), "file is too large"),
    )
    for name, less, enough, words in cases:
        error = refusal(data, Limits(**{name: less}))
        assert type(error) is LimitExceeded and words in str(error) and str(less) in str(error), (name, error)
        assert refusal(data, Limits(**{name: enough})) is None, name


def test_a_limit_over_the_default_is_kept():
    size = Limits().metadata + 1
    if size > 1 << 24:
        support.skip("the default limit is too large here to make a file that exceeds it")
    data = container(sections([("w", descriptor())], ("x", head(2, size) + bytes(size))), b"\x07")
    assert type(refusal(data)) is LimitExceeded
    assert refusal(data, Limits(metadata=2 * size)) is None


def test_the_offset_in_an_error_is_counted_from_the_start_of_the_file():
    data = container(sections([("w", descriptor(text("nothing")))]))
    assert data[refusal(data).offset :].startswith(text("nothing"))
    data = container(sections([("w", descriptor(text("U8"), array(text("x"))))]))
    assert data[refusal(data).offset :].startswith(text("x"))
    twice = container(sections([("name", descriptor()), ("name", descriptor())]))
    assert refusal(twice).offset == twice.find(b"name", twice.find(b"name") + 1) - 1


def test_a_tensor_whose_data_the_file_loses_later_is_truncated_not_filled():
    class Shrinking:
        """A file that ends early once its header has been read."""

        def __init__(self, data):
            self._data = data
            self.at = 0

        def seek(self, offset, whence=0):
            self.at = offset + (len(self._data) if whence == 2 else 0)
            return self.at

        def readinto(self, buffer):
            data = self._data if self.at < 256 else self._data[: self.at + 1]
            part = data[self.at : self.at + len(buffer)]
            part = b"" if self.at > 257 else part
            buffer[: len(part)] = part
            self.at += len(part)
            return len(part)

    data = container(sections([("w", descriptor(text("U8"), numbers(8), numbers(0, 8)))]), b"\x07" * 8)
    tensor = Reader.from_stream(Shrinking(data), None, "a file").tensor("w")
    for error in (
        support.raises(Truncated, tensor.data),
        support.raises(Truncated, tensor.readinto, bytearray(8)),
    ):
        assert "w: the file ends early (expected 8, found 2" in str(error), str(error)


def test_nothing_but_our_own_errors_comes_out_of_random_damage():
    rng = random_numbers(1)
    files = [data for _, data, _ in burnpack_accepted.accepted()]
    for data in files[::4]:
        for _ in range(MUTATIONS):
            check_damaged(damaged(data, rng))


def check_damaged(data):
    try:
        reader = Reader.from_static(data)
        contents(reader)
        reader.metadata()
        reader.scalars()
        [tensor.data() for tensor in reader]
    except BurnpackError as error:
        assert str(error)


def random_numbers(seed):
    """Return a function that gives a number below its argument, the same ones on every interpreter."""
    state = [seed]

    def below(count):
        state[0] = (state[0] * 1103515245 + 12345) % (1 << 31)
        return (state[0] >> 8) % count

    return below


def damaged(data, below):
    """Return `data` with one to three bytes of its front changed, put in, or taken out."""
    changed = bytearray(data)
    front = min(len(data), 10 + metadata_size(data))
    for _ in range(1 + below(3)):
        at = below(front)
        kind = below(4)
        if kind < 2:
            changed[at] = below(256)
        elif kind == 2:
            changed = changed[:at] + bytes((below(256),)) + changed[at:]
        else:
            changed = changed[:at] + changed[at + 1 :]
    return bytes(changed)
