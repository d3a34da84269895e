#!/usr/bin/env python3
"""copse decode from outside: decode_test.py COPSE WRITE_TOKENS"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

COPSE, WRITE_TOKENS = sys.argv[1], sys.argv[2]


def copse(*arguments, **more):
    return subprocess.run([COPSE, *map(str, arguments)], capture_output=True, text=True, timeout=60,
                          **more)


class Decode(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        subprocess.run([WRITE_TOKENS, folder], check=True, timeout=60)
        cls.folder = pathlib.Path(folder)
        cls.graph = cls.folder / "segment.graph"
        cls.tokens = (cls.folder / "segment.tokens").read_text().split()
        cls.contexts = (cls.folder / "segment.contexts").read_text().splitlines()

    def assertSays(self, result, status, line, stdout=""):
        self.assertEqual((result.stderr, result.returncode, result.stdout), (line + "\n", status, stdout))

    def test_decodes_every_scheme_in_another_process(self):
        schemes = sorted(self.folder.glob("*.graph"))
        self.assertGreater(len(schemes), 20)
        for graph in schemes:
            with self.subTest(graph.stem):
                result = copse("decode", "--graph", graph, "--tokens", graph.with_suffix(".tokens"))
                expected = graph.with_suffix(".contexts").read_text()
                self.assertEqual(result.stdout, expected)
                self.assertEqual(result.returncode, 1 if "?\n" in expected else 0)

    def test_takes_tokens_as_arguments(self):
        result = copse("decode", "--graph", self.graph, self.tokens[9], self.tokens[3].upper())
        self.assertEqual(result.stdout, f"{self.contexts[9]}\n{self.contexts[3]}\n")
        self.assertEqual((result.stderr, result.returncode), ("", 0))

    def test_takes_tokens_from_standard_input(self):
        result = copse("decode", "--graph", self.graph, "--tokens", "-", input=self.tokens[9] + "\r\n")
        self.assertEqual((result.stdout, result.returncode), (self.contexts[9] + "\n", 0))

    def test_prints_numbers_without_names(self):
        # Without its section of names (the last but one), the file is as good.
        data = self.graph.read_bytes()
        plain = self.folder / "plain.graph"
        plain.write_bytes(data[:data.index(b"NAME")] + data[-16:])
        result = copse("decode", "--graph", plain, self.tokens[1])
        self.assertRegex(result.stdout, r"^#\d+(:#\d+;#\d+)*\n$")

    def test_says_what_is_wrong_with_a_token(self):
        self.assertSays(copse("decode", "--graph", self.graph, "00"), 1,
                        "copse: 00: segment token: not 12 bytes long", "?\n")
        self.assertSays(copse("decode", "--graph", self.graph, "xy", "0"), 1,
                        "copse: xy: not a hex number (and 1 more tokens)", "?\n?\n")
        file = self.folder / "bad.tokens"
        file.write_text(self.tokens[0] + "\n0102\n")
        self.assertSays(copse("decode", "--graph", self.graph, "--tokens", file), 1,
                        f"copse: {file}: line 2: segment token: not 12 bytes long",
                        self.contexts[0] + "\n?\n")

    def test_says_what_is_wrong_with_a_file(self):
        damaged = self.folder / "damaged.graph"
        data = bytearray(self.graph.read_bytes())
        data[20] ^= 0x40
        damaged.write_bytes(data)
        self.assertSays(copse("decode", "--graph", damaged, "00"), 1,
                        f"copse: {damaged}: at byte 14: the file ends within this section")
        damaged.write_bytes(self.graph.read_bytes()[:-1])
        end = self.graph.stat().st_size - 16
        self.assertSays(copse("decode", "--graph", damaged, "00"), 1,
                        f"copse: {damaged}: at byte {end}: the file ends within this section")
        self.assertSays(copse("decode", "--graph", COPSE, "00"), 1,
                        f"copse: {COPSE}: at byte 0: not a file of copse.graph/1")
        self.assertSays(copse("decode", "--graph", self.folder / "none", "00"), 1,
                        f"copse: {self.folder / 'none'}: cannot be read: No such file or directory")

    def test_says_how_it_is_used(self):
        self.assertSays(copse("decode", "--graph", self.graph), 2,
                        "copse: decode: no token given; name some, or a file with --tokens FILE")
        self.assertEqual(copse("decode", "00").returncode, 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
