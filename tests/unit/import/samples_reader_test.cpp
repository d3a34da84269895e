#include "import/samples_reader.h"

#include <gtest/gtest.h>

#include "support/expect_fault.h"
#include "support/text_samples.h"

namespace copse::join {
namespace {

using testing::lines_of;
using testing::samples_of;
using namespace std::string_literals;

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
    const auto stacks = samples_of(packed.beginning + std::string(100, '\x01'));
    EXPECT_FAULT(stacks, kMalformed, "samples: ", packed.tool, packed.remedy);
    EXPECT_EQ(stacks.message().find("exception"), std::string::npos) << stacks.message();
  }
}

// A name is no compression.
TEST(SamplesReader, TakesTextThatBeginsLikeAPackedFile) {
  for (const char* text : {"BZh9.run 1\n", "LZIP.run 1\n", "PK.run 1\n", "7z.run 1\n"}) {
    EXPECT_TRUE(samples_of(text).ok()) << text;
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
  EXPECT_FAULT(samples_of("\xff\xfe"
                          "a\0 \0"
                          "1\0\n\0"s),
               kMalformed, "UTF-16");
  EXPECT_FAULT(samples_of("\xfe\xff"
                          "\0a\0 \0"
                          "1\0\n"s),
               kMalformed, "UTF-16");
  EXPECT_FAULT(samples_of("\xff\xfe"
                          "a\0 \0"
                          "1\0\n\0"s),
               kMalformed, "iconv");
}

TEST(SamplesReader, SaysThatAFileIsEmpty) {
  EXPECT_FAULT(samples_of(""), kMalformed, "samples: ");
  EXPECT_FAULT(samples_of("\xef\xbb\xbf"), kMalformed, "samples: ");
}

}  // namespace
}  // namespace copse::join
