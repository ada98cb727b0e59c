"""UTF-8 is held to the letter of its definition on every interpreter."""

from burnpack import utf8
from kit import support

# lead bytes, what the second byte may be, how many bytes in all (Unicode, table 3-7)
FORMS = (
    (range(0xC2, 0xE0), range(0x80, 0xC0), 2),
    (range(0xE0, 0xE1), range(0xA0, 0xC0), 3),
    (range(0xE1, 0xED), range(0x80, 0xC0), 3),
    (range(0xED, 0xEE), range(0x80, 0xA0), 3),
    (range(0xEE, 0xF0), range(0x80, 0xC0), 3),
    (range(0xF0, 0xF1), range(0x90, 0xC0), 4),
    (range(0xF1, 0xF4), range(0x80, 0xC0), 4),
    (range(0xF4, 0xF5), range(0x80, 0x90), 4),
)


def is_text(encoded):
    try:
        utf8.decode(encoded)
    except ValueError:
        return False
    return True


def form_of(lead):
    for leads, seconds, length in FORMS:
        if lead in leads:
            return seconds, length
    return (), 1


def test_every_single_byte_is_judged_right():
    for byte in range(256):
        assert is_text(bytes((byte,))) == (byte < 0x80), byte


def test_every_lead_and_second_byte_is_judged_right():
    for lead in range(0x80, 0x100):
        seconds, length = form_of(lead)
        for second in range(256):
            for tail in ((0x80, 0x80), (0xBF, 0xBF)):
                encoded = bytes((lead, second) + tail)[: max(length, 2)]
                assert is_text(encoded) == (second in seconds), (lead, second)
                if length > 2:
                    assert not is_text(encoded[:-1]), (lead, second)


def test_every_third_and_fourth_byte_is_judged_right():
    for start, length in ((b"\xe1\x80", 3), (b"\xf1\x80", 4), (b"\xf1\x80\xbf", 4)):
        for byte in range(256):
            encoded = start + bytes((byte,)) + b"\x80" * (length - len(start) - 1)
            assert is_text(encoded) == (0x80 <= byte < 0xC0), (start, byte)


def test_damage_is_seen_between_good_letters():
    for good in ("", "a", "é", "重", "🔥", "aé重🔥"):
        assert utf8.decode(good.encode()) == good and utf8.encode(good) == good.encode()
        for bad in (b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe0\x80\xaf", b"\xff", b"\xc3"):
            assert not is_text(good.encode() + bad), bad
            assert not is_text(bad + good.encode()), bad
            assert not is_text(good.encode() + bad + good.encode()), bad


def test_a_view_is_decoded_as_bytes_are():
    assert utf8.decode(memoryview("xé🔥".encode())[1:]) == "é🔥"
    support.raises(ValueError, utf8.decode, memoryview(b"\xed\xa0\x80"))


def test_halves_of_surrogate_pairs_are_not_written():
    for text in (chr(0xD800), chr(0xDFFF), "a" + chr(0xDBFF), chr(0xD83D) + chr(0xDD25)):
        support.raises(ValueError, utf8.encode, text)
    assert utf8.encode(chr(0xD7FF) + chr(0xE000)) == b"\xed\x9f\xbf\xee\x80\x80"
