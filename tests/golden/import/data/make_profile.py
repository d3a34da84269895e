#!/usr/bin/env python3
"""Makes samples.pb.gz, a profile as pprof has it, without pprof: python3 make_profile.py > samples.pb.gz"""

import gzip
import sys


def varint(number):
    text = b""
    while number > 127:
        text += bytes([number & 127 | 128])
        number >>= 7
    return text + bytes([number])


def number(field, value):
    return varint(field << 3) + varint(value)


def message(field, content):
    return varint(field << 3 | 2) + varint(len(content)) + content


TEXTS = ["", "samples", "count", "cpu", "nanoseconds", "demo.Main.main", "demo.Main.work", "demo.Log.log",
         "java.lang.Thread.run"]
FUNCTIONS = {1: 5, 2: 6, 3: 7, 4: 8}  # id: name
LOCATIONS = {1: [(1, 10)], 2: [(2, 20)], 3: [(3, 5), (2, 21)], 4: [(1, 12)], 5: [(4, 840)]}  # id: (function, line)
SAMPLES = [([2, 1, 5], (3, 30_000_000)), ([3, 4, 5], (5, 50_000_000)), ([3, 1, 5], (1, 10_000_000)),
           ([5], (2, 20_000_000))]  # innermost location first

profile = b"".join(
    [message(1, number(1, 1) + number(2, 2)), message(1, number(1, 3) + number(2, 4))] +
    [message(2, message(1, b"".join(map(varint, places))) + message(2, b"".join(map(varint, values))))
     for places, values in SAMPLES] +
    [message(4, number(1, place) + b"".join(message(4, number(1, function) + number(2, line)) for function, line in lines))
     for place, lines in LOCATIONS.items()] +
    [message(5, number(1, function) + number(2, name)) for function, name in FUNCTIONS.items()] +
    [message(6, text.encode()) for text in TEXTS])
sys.stdout.buffer.write(gzip.compress(profile, mtime=0))
