// Replays the fuzz corpus in every ordinary test run: each file is hex text, `#` starts a comment.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "rewrite_input.h"

namespace copse::classfile {
namespace {

std::optional<int> hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return std::nullopt;
}

std::vector<std::uint8_t> read_hex(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::vector<std::uint8_t> bytes;
  for (std::string line; std::getline(in, line);) {
    line.resize(std::min(line.size(), line.find('#')));
    for (std::size_t i = 0; i + 1 < line.size();) {
      const auto upper = hex_digit(line[i]);
      const auto lower = hex_digit(line[i + 1]);
      if (!upper || !lower) {
        ++i;
        continue;
      }
      bytes.push_back(static_cast<std::uint8_t>(*upper * 16 + *lower));
      i += 2;
    }
  }
  return bytes;
}

TEST(RewriteCorpus, EveryInputEndsInAClassFileOrAReason) {
  std::size_t inputs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(COPSE_CORPUS_DIR)) {
    SCOPED_TRACE(entry.path().filename().string());
    const auto bytes = read_hex(entry.path());
    ASSERT_FALSE(bytes.empty()) << entry.path();
    rewrite_input(bytes);
    ++inputs;
  }
  EXPECT_GT(inputs, 0u);
}

}  // namespace
}  // namespace copse::classfile
