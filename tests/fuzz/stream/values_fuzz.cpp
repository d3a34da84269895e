// Any bytes as the records of a stream of values, behind a whole description of the program: what is
// read of them is told to engines.
#include <cstdint>
#include <variant>
#include <vector>

#include "ptql/engine/engines.h"
#include "ptql/plan/plan.h"
#include "ptql/stream/engine_feed.h"
#include "support/fuzz_require.h"
#include "support/value_bytes.h"

using namespace copse;

namespace {

std::vector<std::uint8_t> stream_of(std::span<const std::uint8_t> records) {
  std::vector<std::uint8_t> bytes;
  stream::MemoryOutput output(bytes);
  wire::PayloadWriter program;
  stream::write_program({}, program);
  (void)output.add(static_cast<std::uint8_t>(stream::BlockType::kProgram), program.view(), 0);
  (void)output.add(static_cast<std::uint8_t>(stream::BlockType::kEvents), records, 0);
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kLongest = 2000;  // tuples are a product
  if (size > kLongest) return 0;
  static const std::vector<ptql::Plan> plans = {
      ptql::make_plan(std::get<ptql::Query>(ptql::parse_query(
          "SELECT x.startTime, o.dynamicType FROM MethodInvocation x, ObjectAllocation o "
          "WHERE x.receiver = o.receiver AND x.endTime < o.endTime")))};
  const std::vector<std::uint8_t> bytes = stream_of({data, size});
  const stream::ReadValues read = stream::read_values(bytes);
  require(read.failure.find('\n') == std::string::npos, "the message has several lines");
  require(read.lines == stream::read_values(bytes).lines, "the same bytes read differently");

  ptql::Engines engines(plans, {}, [](std::size_t, const ptql::Answer&) {});
  stream::EngineFeed feed(engines);
  stream::ValueReader reader(wire::bytes_in_memory("bytes", bytes));
  require(reader.program().ok(), "the description of the program is whole");
  for (;;) {
    const Result<bool> more = reader.next(feed);
    if (!more.ok() || !*more) break;
  }
  feed.finish();
  return 0;
}
