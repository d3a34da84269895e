#include "import/samples_reader.h"

#include <gtest/gtest.h>

#include "support/text_samples.h"

namespace copse::join {
namespace {

using testing::lines_of;
using testing::samples_of;
using namespace std::string_literals;

std::string trouble_of_file(std::string_view text) {
  const Result<SampledStacks> stacks = samples_of(text);
  return stacks.ok() ? "" : stacks.message();
}

struct Packed {
  std::string beginning;
  const char* tool;    // which packed it
  const char* remedy;  // a program that unpacks it
};

const std::vector<Packed> kPacked = {
    {"\x28\xb5\x2f\xfd\x04\x00\x41\x00\x00"s, "zstd", "zstd -d"},
    {"\x50\x2a\x4d\x18\x04\x00\x00\x00"s, "zstd", "zstd -d"},
    {"\x5f\x2a\x4d\x18\x04\x00\x00\x00"s, "zstd", "zstd -d"},
    {"\x04\x22\x4d\x18\x64\x40\xa7"s, "lz4", "lz4 -d"},
    {"\x02\x21\x4c\x18\x05\x00\x00\x00"s, "lz4", "lz4 -d"},
    {"\xfd"
     "7zXZ\x00\x00\x04"s,
     "xz", "xz -d"},
    {"\x5d\x00\x00\x80\x00\xff\xff\xff\xff\xff\xff\xff\xff"s, "lzma", "xz -d"},
    {"LZIP\x01\x0c"s, "lzip", "lzip -d"},
    {"BZh91AY&SY\x3d\x6b"s, "bzip2", "bzip2 -d"},
    {"BZh9\x17\x72\x45\x38\x50\x90"s, "bzip2", "bzip2 -d"},
    {"\x1f\x9d\x90\x61"s, "compress", "gzip -d"},
    {"PK\x03\x04\x14\x00"s, "zip", "unzip"},
    {"7z\xbc\xaf\x27\x1c\x00\x04"s, "7z", "7z x"},
    {"\xff\x06\x00\x00sNaPpY"s, "snappy", "snzip -d"},
    {"\x78\x9c\x4b\x04\x00"s, "zlib", "zlib"},
    {"\x78\xda\x4b\x04\x00"s, "zlib", "zlib"},
};

TEST(SamplesReader, SaysWhichProgramDecompressesWhatItDoesNot) {
  for (const Packed& packed : kPacked) {
    const std::string why = trouble_of_file(packed.beginning + std::string(100, '\x01'));
    EXPECT_TRUE(why.starts_with("samples: is compressed by "s + packed.tool)) << why;
    EXPECT_NE(why.find(packed.remedy), std::string::npos) << why;
    EXPECT_EQ(why.find("exception"), std::string::npos) << why;
  }
}

// A name is no compression.
TEST(SamplesReader, TakesTextThatBeginsLikeAPackedFile) {
  for (const char* text : {"BZh9.run 1\n", "LZIP.run 1\n", "PK.run 1\n", "7z.run 1\n"}) {
    EXPECT_EQ(trouble_of_file(text), "") << text;
  }
}

TEST(SamplesReader, DropsTheMarkOfUtf8) {
  const auto stacks = samples_of(
      "\xef\xbb\xbf"
      "a.B.main;a.B.run 3\na.B.main 1\n");
  ASSERT_TRUE(stacks.ok()) << stacks.message();
  EXPECT_EQ(lines_of(*stacks, 0), (std::vector<std::string>{"a.B.main 1", "a.B.main;a.B.run 3"}));
  // As text editors save what `jfr print --json` printed.
  const auto json = samples_of(
      "\xef\xbb\xbf"
      R"({"recording":{"events":[{"type":"jdk.ExecutionSample","values":{}}]}})");
  ASSERT_TRUE(json.ok()) << json.message();
  EXPECT_EQ(json->values()[1].total, 1u);
}

// As consoles of Windows write it by default.
TEST(SamplesReader, RefusesOtherEncodingsOfText) {
  EXPECT_NE(trouble_of_file("\xff\xfe"
                            "a\0 \0"
                            "1\0\n\0"s)
                .find("UTF-16"),
            std::string::npos);
  EXPECT_NE(trouble_of_file("\xfe\xff"
                            "\0a\0 \0"
                            "1\0\n"s)
                .find("UTF-16"),
            std::string::npos);
  EXPECT_NE(trouble_of_file("\xff\xfe"
                            "a\0 \0"
                            "1\0\n\0"s)
                .find("iconv"),
            std::string::npos);
}

TEST(SamplesReader, SaysThatAFileIsEmpty) {
  EXPECT_EQ(trouble_of_file(""), "samples: is empty");
  EXPECT_EQ(trouble_of_file("\xef\xbb\xbf"), "samples: is empty");
}

}  // namespace
}  // namespace copse::join
