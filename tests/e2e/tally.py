"""Sums of the checks that a driver made, as lines `checked: N WHAT` and `unanswered: N WHAT` at its end; scripts/proof adds
them up from ctest's log."""

import atexit
import collections

amounts = collections.Counter()
not_answered = collections.Counter()


def checked(amount, what):
    amounts[what] += amount


def unanswered(amount, what):
    """Counts those of the checked ones that have no answer to compare; prints 0, too."""
    not_answered[what] += amount


@atexit.register
def say():
    for what, amount in amounts.items():
        print(f"checked: {amount:,} {what}", flush=True)
    for what, amount in not_answered.items():
        print(f"unanswered: {amount:,} {what}", flush=True)
