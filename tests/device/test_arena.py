"""Values share one arena, and none lies where another lives."""

from burnrt.arena import place
from kit.draw import Draw

# sizes, births, deaths, alignment, offsets and total
CASES = (
    ((), (), (), 1, [], 0),
    ((5,), (0,), (0,), 1, [0], 5),
    ((5,), (0,), (0,), 4, [0], 8),
    ((5, 3), (0, 0), (0, 0), 1, [0, 5], 8),
    ((5, 3), (0, 1), (0, 1), 1, [0, 0], 5),
    ((5, 3), (0, 0), (0, 0), 4, [0, 8], 12),
    ((0, 4, 0), (0, 0, 0), (2, 2, 2), 4, [0, 0, 0], 4),
)
ROUNDS = 150


def chain(draw, length):
    """Each value meets the one before and the one after, as in layers in a row."""
    return [1 + draw.below(100) for _ in range(length)], list(range(length)), list(range(1, length + 1))


def shortcuts(draw, length):
    """Some values live on, as what a residual block adds in the end."""
    sizes, births, deaths = chain(draw, length)
    return sizes, births, [death + (draw.below(4) if draw.below(3) == 0 else 0) for death in deaths]


def anyhow(draw, length):
    births = [draw.below(length) for _ in range(length)]
    return [draw.below(100) for _ in range(length)], births, [birth + draw.below(length) for birth in births]


def most_alive(sizes, births, deaths):
    """Return the most that is alive at one time: no arena can be smaller."""
    values = range(len(sizes))
    return max([sum([sizes[v] for v in values if births[v] <= now <= deaths[v]]) for now in births])


def test_values_lie_where_they_must():
    for sizes, births, deaths, alignment, offsets, total in CASES:
        assert place(sizes, births, deaths, alignment) == (offsets, total), (sizes, births, deaths)


def test_values_lie_beside_those_whose_places_are_fixed():
    # The first two end at 0 and at 1: what is born then lies there, where it fits.
    sizes, births, deaths = (8, 8, 4, 12), (0, 0, 1, 2), (0, 1, 2, 2)
    offsets, total = place(sizes, births, deaths, 4, [0, 8])
    assert (offsets[:3], total) == ([0, 8, 0], 16)
    assert offsets[3] == 4


def test_no_two_living_values_overlap_and_none_lies_beyond_the_end():
    draw = Draw(1)
    for number in range(ROUNDS):
        sizes, births, deaths = (chain, shortcuts, anyhow)[number % 3](draw, 1 + draw.below(12))
        alignment = (1, 4, 16)[draw.below(3)]
        offsets, total = place(sizes, births, deaths, alignment)
        for a in range(len(sizes)):
            assert offsets[a] % alignment == 0 and 0 <= offsets[a] <= total - sizes[a]
            for b in range(a):
                apart = births[a] > deaths[b] or births[b] > deaths[a] or sizes[a] == 0 or sizes[b] == 0
                below, above = offsets[a] + sizes[a] <= offsets[b], offsets[b] + sizes[b] <= offsets[a]
                assert apart or below or above, (sizes, births, deaths, offsets)


def test_the_arena_is_never_larger_than_all_values_nor_smaller_than_what_lives_at_once():
    draw = Draw(2)
    for number in range(ROUNDS):
        sizes, births, deaths = (shortcuts, anyhow)[number % 2](draw, 1 + draw.below(12))
        total = place(sizes, births, deaths)[1]
        assert most_alive(sizes, births, deaths) <= total <= sum(sizes)


def test_layers_in_a_row_get_the_least_that_is_possible():
    draw = Draw(3)
    for _ in range(ROUNDS):
        lives = chain(draw, 1 + draw.below(12))
        assert place(*lives)[1] == most_alive(*lives), lives


def test_shortcuts_cost_little_more_than_the_least():
    draw = Draw(4)
    taken = least = 0
    for _ in range(ROUNDS):
        lives = shortcuts(draw, 12)
        taken += place(*lives)[1]
        least += most_alive(*lives)
    assert taken < 1.05 * least, (taken, least)
