"""Sums of the checks that a driver made, as lines `checked: N WHAT` at its end; scripts/proof adds them up from ctest's log."""

import atexit
import collections

amounts = collections.Counter()


def checked(amount, what):
    amounts[what] += amount


@atexit.register
def say():
    for what, amount in amounts.items():
        print(f"checked: {amount:,} {what}", flush=True)
