"""A small file of every kind that commands read or write."""

import gzip
import zipfile

TRACE = ("# a comment\ncopse trace text 1\nmethod 1 a.F f\nmethod 2 a.G g\n0 start\n0 call 1\n0 call a.G.g\n0 return 2\n"
         "0 end\n")
# The first bytes are enough to know these files by.
BEGINNINGS = {
    "b.trace": b"copse.trace/1\r\n\x1a",
    "e.events": b"copse.event/1\r\n\x1a",
    "run.ids": b"copse.ids/1\nSCHM and so on",
    "run-of-old.graph": b"copse.ids/1\nSCHM and so on",
    "segment-of-old.graph": b"copse.graph/1\nSCHM",
    "calls.json": b'{"schema": "copse.callgraph/1",',
    "calls.graph": b'{"schema": "copse.callgraph/1",',
    "1.memory": b"copse.m1" + bytes(100),
    "A.class": b"\xca\xfe\xba\xbe\x00\x00\x00\x41",
    "run.jfr": b"FLR\0\0\2\0\1" + bytes(60),
}


def make(folder, done, copse):
    """Fills the folder. `done` runs a command of copse there that must succeed, `copse` one that may fail."""
    for name in ("t.trace", "an odd 'name.trace"):
        (folder / name).write_text(TRACE)
    done("replay", "t.trace", "-o", "r.json")
    for name in ("c.collapsed", "s.txt", "t.tree", "p.speedscope.json", "callgrind.out.1", "rows.csv"):
        done("report", "r.json", "-o", name)
    if copse("report", "r.json", "-o", "page.html").status == 1:  # a copse without the viewer
        (folder / "page.html").write_text("<!DOCTYPE HTML>\n<html></html>\n")
    done("validate", "t.trace", "--encoder", "segment", "--save", ".")
    done("compare", "t.trace", "--encoder", "walk", "--rounds", "1", "-o", "compared.json")
    with zipfile.ZipFile(folder / "a.jar", "w") as jar:
        jar.writestr("META-INF/MANIFEST.MF", "")
    for name, beginning in BEGINNINGS.items():
        (folder / name).write_bytes(beginning)
    (folder / "r.json.gz").write_bytes(gzip.compress((folder / "r.json").read_bytes()))
