#include "ptql/plan/start_order.h"

#include <algorithm>
#include <cstdint>

namespace copse::ptql {
namespace {

bool is_method(const Plan& plan, std::uint32_t identifier) {
  return plan.query.identifiers[identifier].relation == Relation::kMethodInvocation;
}

IdentifierSet before(const Plan& plan, const TimingGraph& graph, std::uint32_t identifier) {
  IdentifierSet earlier = 0;
  for (std::uint32_t other = 0; other < plan.query.identifiers.size(); ++other) {
    if (is_method(plan, other) && !plan.query.identifiers[other].negative &&
        graph.order({other, false}, {identifier, false}) == Order::kBefore) {
      earlier |= set_of(other);
    }
  }
  return earlier;
}

// Where its records cannot be against any answer there is no order of the NEGATIVE identifier.
IdentifierSet before(const Plan& plan, const Strategy& strategy, std::uint32_t identifier) {
  if (!plan.query.identifiers[identifier].negative) return before(plan, strategy.full, identifier);
  const auto order = std::ranges::find(strategy.negatives, identifier, &NegativeOrder::identifier);
  return order == strategy.negatives.end() ? 0 : before(plan, order->full, identifier);
}

}  // namespace

std::vector<IdentifierSet> started_before(const Plan& plan) {
  std::vector<IdentifierSet> earlier(plan.query.identifiers.size(), 0);
  for (std::uint32_t i = 0; i < earlier.size(); ++i) {
    if (!plan.has(Part::kGates) || !is_method(plan, i) || plan.strategies.empty()) continue;
    earlier[i] = ~IdentifierSet{0};
    for (const Strategy& strategy : plan.strategies) earlier[i] &= before(plan, strategy, i);
  }
  return earlier;
}

}  // namespace copse::ptql
