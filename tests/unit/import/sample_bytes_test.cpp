#include "import/sample_bytes.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include "support/expect_fault.h"
#include "support/text_samples.h"

namespace copse::join {
namespace {

std::string gzip(const std::string& text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

// All of it, and "!" with what was wrong.
std::string all_of(const std::string& file) {
  SampleBytes bytes(wire::bytes_in_memory("file", {file.begin(), file.end()}));
  std::string text;
  for (; !bytes.at_end(); bytes.take(bytes.block().size())) text += bytes.block();
  EXPECT_EQ(bytes.taken(), text.size());
  return bytes.status().ok() ? text : text + "!" + bytes.status().message();
}

// Packs to a thousandth, so that much comes out of one block.
std::string long_text() {
  std::string text;
  while (text.size() < 5'000'000) text += "a.B.main;a.B.run 1\n";
  return text;
}

TEST(SampleBytes, AreThoseOfTheFile) {
  EXPECT_EQ(all_of(""), "");
  EXPECT_EQ(all_of("a.B.main 1\n"), "a.B.main 1\n");
  EXPECT_EQ(all_of(long_text()), long_text());
}

TEST(SampleBytes, OfGzipAreDecompressed) {
  EXPECT_EQ(all_of(gzip("a.B.main 1\n")), "a.B.main 1\n");
  EXPECT_EQ(all_of(gzip("")), "");
  EXPECT_EQ(all_of(gzip(long_text())), long_text());
}

TEST(SampleBytes, OfSeveralGzipFilesInOneAreAll) {
  EXPECT_EQ(all_of(gzip("a.B.main 1\n") + gzip("") + gzip("a.B.run 2\n")),
            "a.B.main 1\na.B.run 2\n");
}

TEST(SampleBytes, SayWhereGzipIsDamaged) {
  const std::string packed = gzip(long_text());
  const auto trouble = [](const std::string& file) {
    SampleBytes bytes(wire::bytes_in_memory("file", {file.begin(), file.end()}));
    while (!bytes.at_end()) bytes.take(bytes.block().size());
    return bytes.status();
  };
  for (const std::size_t kept : {packed.size() - 1, packed.size() - 9, std::size_t{3}}) {
    EXPECT_FAULT(trouble(packed.substr(0, kept)), kMalformed, "file: ends ", "again");
  }
  std::string broken = packed, header = packed, middle = packed;
  broken[broken.size() - 5] ^= 1;  // in the checksum
  header[2] = 0;                   // no method of compression
  for (std::size_t i = 100; i < 200; ++i) middle[i] = static_cast<char>(i * 37);
  for (const std::string& file : {broken, header, middle, packed + "tail"}) {
    const Status why = trouble(file);
    EXPECT_FAULT(why, kMalformed, "file: ", "damaged", "again");
    // Those are words of zlib.
    for (const char* word : {"incorrect", "invalid", "unknown compression"}) {
      EXPECT_EQ(why.message().find(word), std::string::npos) << why.message();
    }
  }
}

// The first block tells the kind of file.
TEST(SampleBytes, OfShortGzipFilesInOneAreInOneBlock) {
  const std::string file = gzip("F") + gzip("") + gzip("LR") + gzip(std::string("\0\0", 2));
  const SampleBytes bytes(wire::bytes_in_memory("file", {file.begin(), file.end()}));
  EXPECT_EQ(bytes.block(), std::string_view("FLR\0\0", 5));
  EXPECT_TRUE(is_flight_recording(bytes));
}

TEST(SampleBytes, OfGzipCanBeSamplesOfAnyKind) {
  const Result<SampledStacks> stacks = testing::samples_of(gzip("a.B.main;a.B.run 3\n"));
  ASSERT_TRUE(stacks.ok()) << stacks.message();
  EXPECT_EQ(testing::lines_of(*stacks, 0), (std::vector<std::string>{"a.B.main;a.B.run 3"}));
}

}  // namespace
}  // namespace copse::join
