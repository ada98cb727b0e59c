"""Damaged and hostile files: Burn's own crates refuse what we refuse, but for the differences on record."""

import random

from burnpack import safetensors
from burnpack.errors import BurnpackError
from burnpack.reader import Reader
from burnpack.writer import Writer
from kit.formats import (
    burnpack_accepted,
    burnpack_refused,
    burnpack_refused_cbor,
    burnpack_refused_kinds,
    random_containers,
    safetensors_cases,
)
from kit.formats.burnpack_by_hand import U8, container, descriptor, one, scheme, sections
from kit.formats.cbor_by_hand import ARRAY, head, mapping, numbers, text, unsigned
from kit.interop import interop_differences as differences
from kit.interop import interop_judge as judge

DAMAGED = 10_000


def hostile():
    """Return the containers of all tables, the good ones too, and a few that only Burn takes."""
    tables = (burnpack_refused, burnpack_refused_cbor, burnpack_refused_kinds)
    rows = [row for table in tables for row in table.refused()] + burnpack_accepted.accepted()
    many_offsets = descriptor(U8, None, head(ARRAY, 66) + numbers(0, 1)[1:])
    no_map = descriptor(text("QFloat") + scheme(), numbers(1), numbers(0, 5))
    kind = sections([], ("scalars", mapping(("s", text("Int") + unsigned(1)))))
    return [row[1] for row in rows] + [one(many_offsets), one(no_map, bytes(5)), container(kind)]


def damaged():
    """Return good containers with a few bytes changed, put in or taken out."""
    rng = random.Random(5)
    good = [Writer(*parts).to_bytes() for parts in random_containers.of_seed(7, 400)]
    good += [data for _, data, _ in burnpack_accepted.accepted()]
    return [_damaged(rng, bytearray(rng.choice(good))) for _ in range(DAMAGED)]


def _damaged(rng, data):
    front = min(len(data), 10 + int.from_bytes(data[6:10], "little"))
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(min(front, len(data)))
        kind = rng.choice(("a byte", "a bit", "put in", "taken out"))
        if kind == "a byte":
            data[at] = rng.randrange(256)
        elif kind == "a bit":
            data[at] ^= 1 << rng.randrange(8)
        else:
            data[at : at + (kind == "taken out")] = rng.randbytes(kind == "put in")
    return bytes(data)


def by_burn(folder, containers):
    """Return what Burn reads of each container."""
    for number, data in enumerate(containers):
        (folder / ("%05d.bpk" % number)).write_bytes(data)
    return judge.read(folder)


def rows_used(folder, containers):
    """Compare both readers on each container; return the rows of `interop_differences` that were needed."""
    used = []
    for data, burn in zip(containers, by_burn(folder, containers), strict=True):
        assert "panic" not in burn, data
        try:
            reader = Reader.from_static(data)
            found = judge.ours(reader)
        except BurnpackError as error:
            if "error" not in burn:
                used.append(differences.why_burn_takes(error, data))
                assert used[-1], (str(error), data)
        else:
            if "error" in burn:
                used.append(differences.why_we_take(burn["error"], reader.dialect, data))
                assert used[-1], (burn, data)
            else:
                assert comparable(burn, reader.dialect) == comparable(found, reader.dialect), data
    return used


def comparable(seen, dialect):
    """Return what was seen without what Burn reads of a scheme that is not of today's making."""
    for tensor in seen["tensors"]:
        scheme = None if isinstance(tensor["dtype"], str) else tensor["dtype"].get("QFloat")
        if scheme and dialect == "0.20-0.21":
            scheme.update(tensor=None, block=None)  # Burn passes over an older level
        elif scheme and scheme["block"]:
            size = scheme["block"]["size"]
            size["storage"][size["len"] :] = [1] * (5 - size["len"])  # Burn keeps what stands there unused
    return seen


def test_hostile_and_damaged_containers_are_taken_and_refused_alike(tmp_path):
    used = rows_used(tmp_path, hostile() + damaged())
    on_record = {*differences.BURN_TAKES, differences.OLDER_SCHEME, *differences.WE_TAKE}
    assert set(used) == on_record  # none is there in vain


def test_safetensors_are_taken_and_refused_alike(tmp_path):
    taken = safetensors_cases.VALID + safetensors_cases.STRICTER
    refused = safetensors_cases.HOSTILE + safetensors_cases.LOOSER
    containers = [safetensors_cases.container(*case[1:3]) for case in taken + refused]
    containers += [case[1] for case in safetensors_cases.FOREIGN]
    for number, data in enumerate(containers):
        (tmp_path / ("%05d.safetensors" % number)).write_bytes(data)
    seen = judge.read(tmp_path)
    for case, data, burn in zip(taken, containers, seen, strict=False):
        if "Unsupported dtype" in burn.get("error", ""):
            assert case[0] in ("half bytes that make whole ones", "six bits that make whole bytes")
        elif case in safetensors_cases.VALID:
            tensors = safetensors.Reader.from_static(data)
            assert burn["tensors"] == judge.by_name(map(judge.described, tensors)), case
        else:
            assert "tensors" in burn, (case, burn)
    for data, burn in zip(containers[len(taken) :], seen[len(taken) :], strict=True):
        assert "error" in burn, data
