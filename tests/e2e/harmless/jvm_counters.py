"""The counters that HotSpot keeps of itself, from the file that it leaves with -XX:+PerfDataSaveToFile."""

import struct

MAGIC = b"\xca\xfe\xc0\xc0"


def options(path):
    """JVM options that have the counters written to a file when the JVM ends."""
    return ["-XX:+UsePerfData", "-XX:+PerfDataSaveToFile", f"-XX:PerfDataSaveFile={path}"]


def read(path):
    """Name -> value of every counter that is a number; {} when there is no such file."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        return {}
    if data[:4] != MAGIC:
        return {}
    order = "<" if data[4] == 1 else ">"
    entry, count = struct.unpack_from(order + "ii", data, 24)
    counters = {}
    for _ in range(count):
        length, name_at, vector, kind, _, _, _, value_at = struct.unpack_from(order + "iiibbbbi", data, entry)
        if kind == ord("J") and vector == 0:
            name = data[entry + name_at:data.index(b"\0", entry + name_at)].decode()
            counters[name], = struct.unpack_from(order + "q", data, entry + value_at)
        entry += length
    return counters
