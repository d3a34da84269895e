// The example of docs/binary-formats.md, byte for byte.
#include <gtest/gtest.h>

#include "support/traces.h"
#include "trace/trace_writer.h"

namespace copse::trace {
namespace {

std::string from_hex(std::string_view digits) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

CallRecord call(std::uint32_t depth, std::uint16_t site, std::uint32_t method) {
  return call_record(depth, SiteOrdinal{site}, MethodId{method});
}

TEST(TraceExample, HasTheBytesOfTheDocumentation) {
  const std::string expected = from_hex(
      "636f7073652e74726163652f310d0a1a"
      "16000000040000001de7548a"
      "000000"
      "040200020100000102"
      "00"
      "040000010002000320"
      "1400000007000000750fb9ea"
      "000000000000f83f090103"
      "010009"
      "01046e6f7465");
  CallRecord slots[] = {0, call(0, 0, 1), call(1, 1, 2), call(2, 0, 2), call(1, 2, 1)};
  shadowstack::Packet packet;
  packet.slots = slots;
  packet.count = 4;
  const test::TemporaryFile file;
  const Result<std::unique_ptr<TraceWriter>> writer = TraceWriter::create(file.path());
  ASSERT_TRUE(writer.ok());
  EXPECT_TRUE((*writer)->write_packet(packet).ok());
  EXPECT_TRUE((*writer)->finish({1.5, 9, 1, 3, {{ThreadIndex{0}, 9}}, {}, {"note"}}).ok());
  EXPECT_EQ(file.content(), expected);

  const auto trace = test::trace_of(expected);
  const test::Drained all = test::drain(*trace);
  EXPECT_EQ(all.error, "");
  EXPECT_EQ(test::by_thread(all).at(0), test::events_of({slots + 1, 4}));
}

}  // namespace
}  // namespace copse::trace
