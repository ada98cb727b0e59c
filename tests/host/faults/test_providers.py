"""A provider that fails at any tensor: the old model stays, nothing is left over, the tensor is named."""

import pytest

from burnpack.errors import BurnpackError, InvalidTensor, SaveFailed
from kit import faulty, support


def fail():
    raise ZeroDivisionError("no such luck")


# what a provider does, the error, what it says
FAULTS = {
    "raises": (fail, SaveFailed, "ZeroDivisionError: no such luck"),
    "too short": (lambda: bytes(faulty.SIZE - 1), InvalidTensor, "expected 5000, found 4999"),
    "too long": (lambda: bytes(faulty.SIZE + 1), InvalidTensor, "expected 5000, found 5001"),
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("at", range(faulty.TENSORS))
def test_the_old_model_stays_and_the_tensor_is_named(way, fault, at):
    provider, error_class, words = FAULTS[fault]
    way.save(1)
    before = way.files()
    error = support.raises(error_class, way.save, 2, faulty.Failing(at, provider))
    assert str(way.folder) in str(error) and f"parts.{at}: " in str(error) and words in str(error)
    assert way.files() == before and way.loaded() == 1


@pytest.mark.parametrize("at", range(faulty.TENSORS))
def test_where_there_was_nothing_nothing_is_left(way, at):
    support.raises(SaveFailed, way.save, 2, faulty.Failing(at, fail))
    assert way.files() == {}


@pytest.mark.parametrize("at", [0, faulty.TENSORS - 1])
def test_an_interrupt_leaves_the_old_model_too(way, at):
    way.save(1)
    before = way.files()

    def interrupted():
        raise KeyboardInterrupt

    support.raises(KeyboardInterrupt, way.save, 2, faulty.Failing(at, interrupted))
    assert way.files() == before


def test_after_a_failure_the_same_store_saves(way):
    store = way.store().overwrite(True)
    support.raises(BurnpackError, faulty.model(1).save_into, store.with_to_adapter(faulty.Failing(3, fail)))
    faulty.model(2).save_into(store.with_to_adapter(faulty.Failing(-1, fail)))
    assert way.loaded() == 2


@pytest.mark.parametrize("at", range(faulty.TENSORS))
def test_a_conversion_that_fails_leaves_the_old_target(way, at, monkeypatch):
    from burnpack.tensor import Tensor
    from burnstore import open_model
    from burnstore.pipeline.conversion import Options, plan

    if way.name == "sharded":
        return  # a conversion writes one file
    way.save(1)
    source = way.folder / "source.bpk"
    faulty.model(2).save_into(faulty.store("burnpack", source))
    before = way.files()
    real = Tensor.data
    monkeypatch.setattr(Tensor, "data", lambda self: fail() if self.name == f"parts.{at}" else real(self))
    with open_model(source) as opened:
        conversion = plan(opened, way.target, None, Options(overwrite=True))
        error = support.raises(SaveFailed, conversion.run)
    assert f"parts.{at}" in str(error) and way.files() == before
