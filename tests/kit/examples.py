"""How many random examples a test looks at: few whenever all tests run, many where that is asked for."""

from hypothesis import settings

FEW = "few"

settings.register_profile(FEW, max_examples=40, deadline=None)  # no test looks at the clock
settings.register_profile("many", max_examples=1000, deadline=None)


def examples(share, parent=None, **others):
    """Return settings with `share` times as many examples as the profile has; the rest is as in `parent`."""
    return settings(parent, max_examples=max(1, round(share * settings.default.max_examples)), **others)
