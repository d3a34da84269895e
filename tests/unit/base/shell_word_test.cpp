#include "base/shell_word.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <memory>

#include "base/printable.h"

namespace copse {
namespace {

// Returns the arguments that bash makes of the text, each between brackets.
std::string arguments_in_bash(const std::string& text) {
  const std::string script =
      "set -- " + text + "; for word in \"$@\"; do printf '[%s]' \"$word\"; done";
  const std::string command = "bash -c " + shell_word(script);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> shell(popen(command.c_str(), "r"), pclose);
  std::string out;
  std::array<char, 256> block;
  for (std::size_t n; (n = std::fread(block.data(), 1, block.size(), shell.get())) > 0;) {
    out.append(block.data(), n);
  }
  return out;
}

TEST(ShellWord, LeavesWhatMeansNothingToAShell) {
  EXPECT_EQ(shell_word("/tmp/a-b_c.D+1,2:3@4%=5.json"), "/tmp/a-b_c.D+1,2:3@4%=5.json");
}

TEST(ShellWord, QuotesWhatAShellWouldTakeApart) {
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("a b"), "'a b'");
  EXPECT_EQ(shell_word("$HOME"), "'$HOME'");
  EXPECT_EQ(shell_word("~/x"), "'~/x'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word("=ls"), "'=ls'");
  EXPECT_EQ(shell_word("Größe"), "'Größe'");
}

TEST(ShellWord, EscapesWhatATerminalWouldNotShow) {
  EXPECT_EQ(shell_word("a\x1b[2J'\\"), "$'a\\033[2J\\'\\\\'");
  EXPECT_EQ(shell_word("\xff"), "$'\\377'");
  EXPECT_EQ(shell_word("a\nb"), "$'a\\012b'");
}

TEST(ShellWord, IsReadBackByAShellAndShownAsItIs) {
  for (const std::string text :
       {"",     "a b",      "it's",  "$(id)",        "`id`", "a\\b",      "a\"b",        "*",
        "?",    "[a]",      "!x",    "#x",           "~",    "a;b",       "a&b",         "a|b",
        "<>",   "{a,b}",    "(x)",   "-x",           "=ls",  "tab\there", "line\nbreak", "\x1b[31m",
        "\x7f", "\xff\xfe", "Größe", "\xe2\x80\xae", "'",    "''",        "\\'"}) {
    EXPECT_EQ(arguments_in_bash(shell_word(text)), "[" + text + "]") << shell_word(text);
    EXPECT_EQ(printable(shell_word(text)), shell_word(text));
  }
}

TEST(ShellPath, ALeadingDashIsNoOption) {
  EXPECT_EQ(shell_path("-o.json"), "./-o.json");
  EXPECT_EQ(shell_path("-a b"), "'./-a b'");
  EXPECT_EQ(shell_path("/tmp/-x"), "/tmp/-x");
  EXPECT_EQ(shell_path("a-b"), "a-b");
}

}  // namespace
}  // namespace copse
