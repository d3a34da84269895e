#include "ptql/plan/removal_rules.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "ptql/plan/join_order.h"

namespace copse::ptql {
namespace {

// Returns the tests between `identifier` and `at` that can be made when the record of `at` has started.
Refutation::Saving saving_of(const Plan& plan, const Strategy& strategy, Node at,
                             std::uint32_t identifier) {
  Refutation::Saving saving{at, {}, {}, {}};
  for (const TimingEdge& edge : strategy.full.edges()) {
    if (edge.from.identifier == identifier && edge.to == at) saving.edges.push_back(edge);
  }
  std::vector<std::size_t> known;
  for (std::size_t i = 0; i < plan.query.predicates.size(); ++i) {
    const Predicate& predicate = plan.query.predicates[i];
    if (!is_joined(plan, i) ||
        predicate.identifiers != (set_of(at.identifier) | set_of(identifier))) {
      continue;
    }
    saving.predicates.push_back(i);
    const std::vector<FieldReference> fields = fields_of(predicate);
    if (std::none_of(fields.begin(), fields.end(),
                     [&](const FieldReference& field) { return plan.known_at_end(field); })) {
      known.push_back(i);
    }
  }
  saving.lookup = lookup_by(plan, known, at.identifier, set_of(identifier));
  return saving;
}

// Nothing where more than one other identifier decides what the NEGATIVE record matches.
std::optional<Refutation> refutation_by(const Plan& plan, const Strategy& strategy,
                                        std::uint32_t negative) {
  IdentifierSet decide = 0;
  std::vector<TimingEdge> before;  // events that it has to come before: those to come are after it
  std::vector<TimingEdge> others;
  for (const Predicate& predicate : plan.query.predicates) {
    const IdentifierSet named = predicate.identifiers & ~set_of(negative);
    if (named == predicate.identifiers || named == 0) continue;
    if (std::popcount(named) > 1) return std::nullopt;
    const auto edge = order_of_stamps(predicate);
    if (edge && edge->from.identifier == negative) {
      before.push_back(*edge);
      continue;
    }
    decide |= named;
    if (edge) others.push_back(*edge);
  }
  if (std::popcount(decide) != 1) return std::nullopt;
  const auto identifier = static_cast<std::uint32_t>(std::countr_zero(decide));
  JoinStep step = step_to(plan, {}, identifier, set_of(negative));
  Refutation refutation{
      negative, identifier, std::move(step.predicates), std::move(others), std::move(step.lookup),
      {}};
  refutation.once = std::any_of(refutation.edges.begin(), refutation.edges.end(),
                                [identifier](const TimingEdge& edge) {
                                  return edge.from == Node{identifier, true};
                                });
  for (const TimingEdge& edge : before) {
    if (edge.to.identifier == identifier) {
      refutation.edges.push_back(edge);
    } else {
      refutation.saved_by.push_back(saving_of(plan, strategy, edge.to, identifier));
    }
  }
  return refutation;
}

bool is_stamp_or_clock(Field field) {
  return field == Field::kStartTime || field == Field::kEndTime || field == Field::kRealStartTime ||
         field == Field::kRealEndTime;
}

// The times of an identifier that the query asks for: an earlier record is as good as a later one
// when it only has to be before others.
struct AskedTimes {
  bool earlier_is_as_good = true;
  bool end = false;
};

AskedTimes asked_times(const Plan& plan, std::uint32_t identifier) {
  const Query& query = plan.query;
  AskedTimes asked;
  const auto look = [&](const FieldReference& field) {
    if (field.identifier == identifier && is_stamp_or_clock(field.field)) {
      asked.earlier_is_as_good = false;
    }
  };
  for (const SelectedItem& item : query.selected) {
    if (item.has_field()) look(item.field);
  }
  for (const Predicate& predicate : query.predicates) {
    const bool filters = plan.has(Part::kDynamicFilter) || is_order_of_stamps(predicate);
    if (predicate.identifiers == set_of(identifier) && filters) continue;  // a filter of its own
    const auto edge = order_of_stamps(predicate);
    if (edge && edge->from.identifier == identifier &&
        (query.negatives() & predicate.identifiers) == 0) {
      asked.end = asked.end || edge->from.end;
      continue;
    }
    for (const FieldReference& field : fields_of(predicate)) look(field);
  }
  return asked;
}

std::optional<Node> repetition_of(const Plan& plan, const Strategy& strategy,
                                  std::uint32_t identifier) {
  const Query& query = plan.query;
  if (query.aggregates() || query.identifiers[identifier].negative ||
      (strategy.post_dominator && strategy.post_dominator->identifier == identifier)) {
    return std::nullopt;
  }
  const AskedTimes asked = asked_times(plan, identifier);
  if (!asked.earlier_is_as_good) return std::nullopt;
  const IdentifierPlan& own = plan.identifiers[identifier];
  const bool late = asked.end || !own.end_filter.empty() ||
                    std::any_of(own.kept.begin(), own.kept.end(), [&](const FieldReference& field) {
                      return plan.known_at_end(field);
                    });
  return Node{identifier, late};
}

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

// Returns the identifiers whose records start before `identifier`. A NEGATIVE identifier that no
// record can match has no order, and so none before it.
IdentifierSet before(const Plan& plan, const Strategy& strategy, std::uint32_t identifier) {
  if (!plan.query.identifiers[identifier].negative) return before(plan, strategy.full, identifier);
  const auto order = std::ranges::find(strategy.negatives, identifier, &NegativeOrder::identifier);
  return order == strategy.negatives.end() ? 0 : before(plan, order->full, identifier);
}

}  // namespace

void plan_removals(const Plan& plan, Strategy& strategy) {
  for (const NegativeOrder& negative : strategy.negatives) {
    if (!plan.has(Part::kRefutation)) break;
    if (auto refutation = refutation_by(plan, strategy, negative.identifier)) {
      strategy.refutations.push_back(std::move(*refutation));
    }
  }
  for (std::uint32_t i = 0; plan.has(Part::kRepetition) && i < plan.query.identifiers.size(); ++i) {
    if (auto repetition = repetition_of(plan, strategy, i)) {
      strategy.repetitions.push_back(*repetition);
    }
  }
}

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
