#!/usr/bin/env python3
"""copse decode from outside."""

import pathlib
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402


HEADER = b"copse.state/1\r\n\x1a"
NAMES = 5  # the type of a block of names


def blocks(file):
    """The header of a state file and its blocks, each with its own header."""
    parts, at = [HEADER], len(HEADER)
    while at < len(file):
        end = at + 12 + int.from_bytes(file[at:at + 4], "little")
        parts.append(file[at:end])
        at = end
    return parts


class Decode(driver.CommandLineTest):
    @classmethod
    def setUpClass(cls):
        cls.written = pathlib.Path(ARGS.work, "written")
        cls.written.mkdir(exist_ok=True)
        subprocess.run([ARGS.write_tokens, cls.written], check=True, timeout=jvm.TIMEOUT_S)
        cls.state = cls.written / "segment.state"
        cls.tokens = (cls.written / "segment.tokens").read_text().split()
        cls.contexts = (cls.written / "segment.contexts").read_text().splitlines()

    def test_decodes_every_scheme_in_another_process(self):
        schemes = sorted(self.written.glob("*.state"))
        self.assertGreater(len(schemes), 20)
        for state in schemes:
            with self.subTest(state.stem):
                result = self.copse("decode", state, "--tokens", state.with_suffix(".tokens"))
                expected = state.with_suffix(".contexts").read_text()
                self.assertEqual(result.stdout, expected)
                self.assertEqual(result.status, 1 if "?\n" in expected else 0)

    def test_takes_tokens_as_arguments(self):
        result = self.copse("decode", self.state, self.tokens[9], self.tokens[3].upper())
        self.assertEqual(result.stdout, f"{self.contexts[9]}\n{self.contexts[3]}\n")
        self.assertEqual((result.stderr, result.status), ("", 0))

    def test_takes_tokens_from_standard_input(self):
        result = self.copse("decode", self.state, "--tokens", "-", given=self.tokens[9] + "\r\n")
        self.assertEqual((result.stdout, result.status), (self.contexts[9] + "\n", 0))

    def test_prints_numbers_without_names(self):
        # Without its section of names the file is as good.
        plain = self.folder / "plain.state"
        plain.write_bytes(b"".join(block for block in blocks(self.state.read_bytes()) if block == HEADER or block[4] != NAMES))
        result = self.copse("decode", plain, self.tokens[1])
        self.assertRegex(result.stdout, r"^#\d+(:#\d+;#\d+)*\n$")

    def test_says_what_is_wrong_with_a_token(self):
        self.assert_one_line(self.copse("decode", self.state, "00"), 1, "00", "segment", stdout="?\n")
        self.assert_one_line(self.copse("decode", self.state, "xy", "0"), 1, "xy", "1 more", stdout="?\n?\n")
        file = self.folder / "bad.tokens"
        file.write_text(self.tokens[0] + "\n0102\n")
        self.assert_one_line(self.copse("decode", self.state, "--tokens", file), 1, f"{file}: line 2: ",
                             stdout=self.contexts[0] + "\n?\n")

    def test_says_what_is_wrong_with_a_file(self):
        damaged = self.folder / "damaged.state"
        data = bytearray(self.state.read_bytes())
        data[20] ^= 0x40
        damaged.write_bytes(data)
        self.assert_one_line(self.copse("decode", damaged, "00"), 1, f"{damaged}: at byte 16: ", stdout="")
        damaged.write_bytes(self.state.read_bytes()[:-1])
        end = self.state.stat().st_size - 12
        self.assert_one_line(self.copse("decode", damaged, "00"), 1, f"{damaged}: at byte {end}: ", stdout="")
        self.assert_one_line(self.copse("decode", ARGS.copse, "00"), 1, f"{ARGS.copse}: at byte 0: ", stdout="")
        self.assert_one_line(self.copse("decode", "none", "00"), 1, "none", stdout="")

    def test_says_how_it_is_used(self):
        self.assert_one_line(self.copse("decode", self.state), 2, "--tokens", stdout="")
        self.assertEqual(self.copse("decode", "00").status, 2)


driver.main("copse", "write-tokens")
