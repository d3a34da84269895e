#!/usr/bin/env python3
"""copse decode from outside."""

import pathlib
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
from driver import ARGS  # noqa: E402


class Decode(driver.CommandLineTest):
    @classmethod
    def setUpClass(cls):
        cls.written = pathlib.Path(ARGS.work, "written")
        cls.written.mkdir(exist_ok=True)
        subprocess.run([ARGS.write_tokens, cls.written], check=True, timeout=60)
        cls.graph = cls.written / "segment.graph"
        cls.tokens = (cls.written / "segment.tokens").read_text().split()
        cls.contexts = (cls.written / "segment.contexts").read_text().splitlines()

    def test_decodes_every_scheme_in_another_process(self):
        schemes = sorted(self.written.glob("*.graph"))
        self.assertGreater(len(schemes), 20)
        for graph in schemes:
            with self.subTest(graph.stem):
                result = self.copse("decode", "--graph", graph, "--tokens", graph.with_suffix(".tokens"))
                expected = graph.with_suffix(".contexts").read_text()
                self.assertEqual(result.stdout, expected)
                self.assertEqual(result.status, 1 if "?\n" in expected else 0)

    def test_takes_tokens_as_arguments(self):
        result = self.copse("decode", "--graph", self.graph, self.tokens[9], self.tokens[3].upper())
        self.assertEqual(result.stdout, f"{self.contexts[9]}\n{self.contexts[3]}\n")
        self.assertEqual((result.stderr, result.status), ("", 0))

    def test_takes_tokens_from_standard_input(self):
        result = self.copse("decode", "--graph", self.graph, "--tokens", "-", given=self.tokens[9] + "\r\n")
        self.assertEqual((result.stdout, result.status), (self.contexts[9] + "\n", 0))

    def test_prints_numbers_without_names(self):
        # Without its section of names (the last but one), the file is as good.
        data = self.graph.read_bytes()
        plain = self.folder / "plain.graph"
        plain.write_bytes(data[:data.index(b"NAME")] + data[-16:])
        result = self.copse("decode", "--graph", plain, self.tokens[1])
        self.assertRegex(result.stdout, r"^#\d+(:#\d+;#\d+)*\n$")

    def test_says_what_is_wrong_with_a_token(self):
        self.assert_says(self.copse("decode", "--graph", self.graph, "00"), 1,
                         "copse: 00: segment token: not 8 bytes long", "?\n")
        self.assert_says(self.copse("decode", "--graph", self.graph, "xy", "0"), 1,
                         "copse: xy: not a hex number (and 1 more tokens)", "?\n?\n")
        file = self.folder / "bad.tokens"
        file.write_text(self.tokens[0] + "\n0102\n")
        self.assert_says(self.copse("decode", "--graph", self.graph, "--tokens", file), 1,
                         f"copse: {file}: line 2: segment token: not 8 bytes long",
                         self.contexts[0] + "\n?\n")

    def test_says_what_is_wrong_with_a_file(self):
        damaged = self.folder / "damaged.graph"
        data = bytearray(self.graph.read_bytes())
        data[20] ^= 0x40
        damaged.write_bytes(data)
        self.assert_says(self.copse("decode", "--graph", damaged, "00"), 1,
                         f"copse: {damaged}: at byte 14: the file ends within this section")
        damaged.write_bytes(self.graph.read_bytes()[:-1])
        end = self.graph.stat().st_size - 16
        self.assert_says(self.copse("decode", "--graph", damaged, "00"), 1,
                         f"copse: {damaged}: at byte {end}: the file ends within this section")
        self.assert_says(self.copse("decode", "--graph", ARGS.copse, "00"), 1,
                         f"copse: {ARGS.copse}: at byte 0: not a file of copse.graph/1")
        self.assert_says(self.copse("decode", "--graph", self.folder / "none", "00"), 1,
                         f"copse: {self.folder / 'none'}: cannot be read: No such file or directory")

    def test_says_how_it_is_used(self):
        self.assert_says(self.copse("decode", "--graph", self.graph), 2,
                         "copse: decode: no token given; name some, or a file with --tokens FILE")
        self.assertEqual(self.copse("decode", "00").status, 2)


driver.main("copse", "write-tokens")
