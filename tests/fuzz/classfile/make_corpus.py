#!/usr/bin/env python3
"""Writes class files as hex text into corpus/: make_corpus.py FILE... (class files or fuzzer finds).

The committed ones were made from the classes that javac makes of Seeds.java, with every debug table
(javac -g -parameters), and from inputs on which the fuzzer once found a fault.
"""
import pathlib
import sys

CORPUS = pathlib.Path(__file__).parent / "corpus"
COLUMNS = 32

for name in sys.argv[1:]:
    source = pathlib.Path(name)
    data = source.read_bytes()
    lines = [data[at:at + COLUMNS].hex() for at in range(0, len(data), COLUMNS)]
    CORPUS.mkdir(exist_ok=True)
    (CORPUS / (source.stem + ".hex")).write_text("# " + source.name + "\n" + "\n".join(lines) + "\n")
