#include "base/wire/sections.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "base/wire/block_writer.h"
#include "support/expect_fault.h"

namespace copse::wire {
namespace {

constexpr std::string_view kHeader = "copse.xy/7\r\n\x1a";
constexpr std::uint32_t kFull = 4;  // a section of more bytes takes several blocks
constexpr std::uint8_t kLast = 9;
constexpr SectionFile kFile{kHeader, "a test file", kLast, kFull};

using Sections = std::vector<std::pair<int, std::string>>;

std::vector<std::uint8_t> bytes_of(const Sections& sections) {
  SectionWriter writer(kHeader, kFull);
  for (const auto& [type, text] : sections) {
    writer.add(static_cast<std::uint8_t>(type),
               {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  }
  return writer.file();
}

// Fills `sections`.
Status read(std::vector<std::uint8_t> bytes, Sections& sections) {
  return read_sections(bytes_in_memory("f", std::move(bytes)), kFile,
                       [&](std::uint8_t type, StateReader& in) {
                         std::string text;
                         while (!in.at_end()) text += static_cast<char>(in.byte());
                         sections.emplace_back(type, text);
                       });
}

Status complaint(std::vector<std::uint8_t> bytes) {
  Sections ignored;
  return read(std::move(bytes), ignored);
}

TEST(Sections, OfEveryLengthAroundABlocksComeBack) {
  const std::string text = "0123456789abcdef";
  for (std::size_t length = 0; length <= 3 * kFull + 1; ++length) {
    const Sections sections = {{1, text.substr(0, length)}, {1, "x"}, {kLast, ""}};
    const std::vector<std::uint8_t> bytes = bytes_of(sections);
    const std::size_t blocks = length / kFull + 1;
    EXPECT_EQ(bytes.size(), kHeader.size() + (blocks + 2) * kBlockHeaderBytes + length + 1);
    Sections again;
    EXPECT_TRUE(read(bytes, again).ok()) << length;
    EXPECT_EQ(again, sections) << length;
  }
}

TEST(Sections, OfMoreThanABlocksLimitComeBack) {
  std::vector<std::uint8_t> content(std::size_t{kMostPayloadBytes} + 5);
  for (std::size_t i = 0; i < content.size(); ++i) content[i] = static_cast<std::uint8_t>(i % 251);
  SectionWriter writer(kHeader);
  writer.add(kLast, content);
  EXPECT_EQ(writer.file().size(), kHeader.size() + 2 * kBlockHeaderBytes + content.size());
  std::size_t wrong = 0;
  const Status status =
      read_sections(bytes_in_memory("f", writer.file()), {kHeader, "a test file", kLast},
                    [&](std::uint8_t, StateReader& in) {
                      for (const std::uint8_t byte : content) wrong += in.byte() != byte ? 1 : 0;
                    });
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(wrong, 0u);
}

TEST(Sections, ACutFileIsRefusedInOneLineWhereverItEnds) {
  const std::vector<std::uint8_t> whole = bytes_of({{1, "0123456"}, {2, "0123"}, {kLast, ""}});
  ASSERT_TRUE(complaint(whole).ok());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const Status why =
        complaint({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)});
    EXPECT_FAULT(why, kMalformed, "f: at byte ") << size;
    EXPECT_EQ(why.message().find('\n'), std::string::npos);
  }
  const std::size_t second = kHeader.size() + kBlockHeaderBytes + kFull;
  EXPECT_FAULT(complaint({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(second)}),
               kMalformed, "f: at byte " + std::to_string(second) + ": ");
  EXPECT_FAULT(complaint({whole.begin(), whole.end() - kBlockHeaderBytes}), kMalformed,
               "f: at byte " + std::to_string(whole.size() - kBlockHeaderBytes) + ": ");
}

TEST(Sections, EveryChangedByteIsFound) {
  const std::vector<std::uint8_t> whole = bytes_of({{1, "0123456"}, {2, "0123"}, {kLast, ""}});
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int change : {1, 0x80}) {
      std::vector<std::uint8_t> damaged = whole;
      damaged[at] ^= static_cast<std::uint8_t>(change);
      EXPECT_FAULT(complaint(damaged), kMalformed, "f: at byte ") << at;
    }
  }
}

std::vector<std::uint8_t> header() { return {kHeader.begin(), kHeader.end()}; }

TEST(Sections, BlocksThatMakeNoSectionAreRefused) {
  const std::vector<std::uint8_t> full(kFull, 'x');
  const std::vector<std::uint8_t> longer(kFull + 1, 'x');
  std::vector<std::uint8_t> other_type = header();
  append_block(other_type, 1, full);
  append_block(other_type, 2, {});
  EXPECT_FAULT(complaint(other_type), kMalformed, "f: at byte 29: ");
  std::vector<std::uint8_t> too_long = header();
  append_block(too_long, kLast, longer);
  EXPECT_FAULT(complaint(too_long), kMalformed, "f: at byte 13: ");
  std::vector<std::uint8_t> behind = bytes_of({{kLast, ""}});
  append_block(behind, kLast, {});
  EXPECT_FAULT(complaint(behind), kMalformed, "f: at byte 25: ");
}

TEST(Sections, AreReadToTheirEndOrSaidToBeWrong) {
  const std::vector<std::uint8_t> bytes = bytes_of({{1, "012345"}, {kLast, ""}});
  const auto with = [&](const TakeSection& take) {
    return read_sections(bytes_in_memory("f", bytes), kFile, take);
  };
  // The section's sixth byte is the second of its second block.
  EXPECT_FAULT(with([](std::uint8_t, StateReader& in) {
                 for (int i = 0; i < 6; ++i) in.byte();
                 in.fail("not that");
               }),
               kMalformed, "f: at byte 42: not that");
  EXPECT_FAULT(with([](std::uint8_t, StateReader& in) { in.byte(); }), kMalformed,
               "f: at byte 25: ");
}

TEST(Sections, OfAnotherKindOrVersionAreNotRead) {
  EXPECT_FAULT(complaint({}), kMalformed, "f: at byte 0: ");
  EXPECT_FAULT(complaint({'c', 'o', 'p'}), kMalformed, "f: at byte 0: ");
  std::vector<std::uint8_t> other = bytes_of({{kLast, ""}});
  other[9] = '6';
  EXPECT_FAULT(complaint(other), kMalformed, "f: at byte 0: ", "copse.xy/7");
  other = bytes_of({{kLast, ""}});
  other[11] = '\r';
  EXPECT_FAULT(complaint(other), kMalformed, "f: at byte 0: ");
}

}  // namespace
}  // namespace copse::wire
