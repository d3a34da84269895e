// Any text as events: what is a possible run gets the same answers with and without pruning.
#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "ptql/engine/event_text.h"
#include "support/fuzz_require.h"

using namespace copse;
using namespace copse::ptql;

namespace {

struct Outcome {
  std::vector<std::string> rows;
  std::string failure;
};

Outcome ask(const std::vector<Plan>& plans, const std::string& events) {
  Outcome outcome;
  Engines engines(plans, {}, [&outcome](std::size_t, const Answer& answer) {
    std::string row;
    for (const Value& value : answer.values) row += to_text(value) + '|';
    outcome.rows.push_back(row);
  });
  std::istringstream text(events);
  const Status status = feed_events(text, "events", engines);
  if (!status) outcome.failure = status.message();
  std::sort(outcome.rows.begin(), outcome.rows.end());
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kLongest = 2000;  // tuples are a product
  if (size > kLongest) return 0;
  const auto plan_without = [](PartSet parts) {
    return make_plan(
        std::get<Query>(parse_query(
            "SELECT x.startTime, y.receiver, o.dynamicType FROM MethodInvocation x, "
            "MethodInvocation y, ObjectAllocation o, NEGATIVE MethodInvocation n "
            "WHERE x.receiver = o.receiver AND y.param0 = x.receiver AND n.thread = x.thread "
            "AND n.endTime < x.startTime AND x.result != n.result")),
        parts);
  };
  static const std::vector<Plan> plans = {plan_without(0)};
  static const std::vector<Plan> plain_plans = {plan_without(kAllParts)};
  const std::string events(reinterpret_cast<const char*>(data), size);
  const Outcome outcome = ask(plans, events);
  const Outcome plain = ask(plain_plans, events);
  require(outcome.rows == plain.rows, "a part of the plan changes the answers");
  require(outcome.failure == plain.failure, "a part of the plan changes what is wrong");
  require(outcome.failure.find('\n') == std::string::npos, "the message has several lines");
  return 0;
}
