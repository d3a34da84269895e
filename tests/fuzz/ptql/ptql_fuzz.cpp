// Any text as a query: a plan that can be explained, or a problem with a place in the text.
#include <algorithm>
#include <cstdint>
#include <string>
#include <variant>

#include "ptql/plan/explain.h"
#include "ptql/plan/plan.h"
#include "support/fuzz_require.h"

using namespace copse;
using namespace copse::ptql;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  std::variant<Query, Problem> parsed = parse_query(text);
  if (const auto* problem = std::get_if<Problem>(&parsed)) {
    const auto lines = static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    require(problem->place.line >= 1 && problem->place.line <= lines, "a place behind the text");
    const std::string shown = with_caret(text, problem->place);
    require(std::count(shown.begin(), shown.end(), '\n') == 2, "not one line and its caret");
    require(!problem->what.empty(), "a problem without words");
    return 0;
  }
  const Plan plan = make_plan(std::move(std::get<Query>(parsed)));
  require(plan.contradiction.empty() != plan.strategies.empty(), "neither an answer nor a reason");
  for (const Strategy& strategy : plan.strategies) {
    require(closed(strategy.unclosed, {plan.query.positives(), plan.same_thread}) == strategy.full,
            "the unclosed graph has another closure");
  }
  require(!explain(plan).empty() && !timing_graphs_as_dot(plan).empty(), "nothing is explained");
  return 0;
}
