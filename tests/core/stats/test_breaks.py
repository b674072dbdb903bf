from core.stats.breaks import breaks_in, levels_of, line_fits_better


def wobble(at: int) -> float:
    """Scatter evenly from -3 to 3, in an order without a pattern."""
    return (at * 7919 % 101) / 101 * 6 - 3


def test_finds_the_two_places_where_the_level_changed():
    values = [100 + wobble(at) + (40 if 20 <= at < 45 else 0) for at in range(70)]

    breaks = breaks_in(values)

    assert [each.at for each in breaks] == [20, 45]
    assert all(each.confidence > 0.99 for each in breaks)


def test_finds_nothing_in_noise():
    assert breaks_in([50 + wobble(at) for at in range(60)]) == ()


def test_finds_nothing_where_nothing_varies():
    assert breaks_in([5.0] * 40) == ()


def test_the_same_values_give_the_same_breaks():
    values = [wobble(at) + (at > 12) * 2 for at in range(30)]

    assert breaks_in(values) == breaks_in(values)


def test_levels_are_the_means_between_breaks():
    values = [1.0] * 6 + [5.0] * 6

    breaks = breaks_in(values)

    assert levels_of(values, breaks) == values


def test_a_steady_rise_is_better_explained_by_a_line():
    rise = [at * 2 + wobble(at) for at in range(50)]
    step = [100 + wobble(at) + (at >= 25) * 60 for at in range(50)]

    assert line_fits_better(rise, breaks_in(rise))
    assert not line_fits_better(step, breaks_in(step))
