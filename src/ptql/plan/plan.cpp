#include "ptql/plan/plan.h"

#include <algorithm>
#include <utility>

#include "ptql/plan/join_order.h"
#include "ptql/plan/post_dominator.h"
#include "ptql/plan/removal_rules.h"

namespace copse::ptql {
namespace {

using Usable = std::vector<bool>;  // by predicate

// Those that name none but these identifiers.
Usable predicates_within(const Query& query, IdentifierSet identifiers) {
  Usable usable;
  for (const Predicate& predicate : query.predicates) {
    usable.push_back((predicate.identifiers & ~identifiers) == 0);
  }
  return usable;
}

TimingRules rules_of(const Query& query, const Usable& usable, IdentifierSet identifiers) {
  return {identifiers, same_threads(query, usable)};
}

TimingGraph graph_of(const Plan& plan, const Usable& usable, TimingGraph graph) {
  for (const FactEdge& fact : plan.facts) {
    if (usable[fact.predicate]) graph.add(fact.from, fact.to, Order::kBefore);
  }
  return graph;
}

// Predicates are taken away as long as the rest still contradict each other.
std::vector<std::size_t> contradiction_of(const Plan& plan, Usable usable, IdentifierSet within) {
  const auto contradict = [&](const Usable& some) {
    const TimingGraph none(plan.query.identifiers.size());
    return closed(graph_of(plan, some, none), rules_of(plan.query, some, within)).has_cycle();
  };
  if (!contradict(usable)) return {};
  std::vector<std::size_t> needed;
  for (std::size_t i = 0; i < usable.size(); ++i) {
    if (!usable[i]) continue;
    usable[i] = false;
    if (contradict(usable)) continue;
    usable[i] = true;
    needed.push_back(i);
  }
  return needed;
}

void plan_negatives(const Plan& plan, Strategy& strategy) {
  const Query& query = plan.query;
  for (std::uint32_t i = 0; i < query.identifiers.size(); ++i) {
    if (!query.identifiers[i].negative) continue;
    const IdentifierSet identifiers = query.positives() | set_of(i);
    const Usable usable = predicates_within(query, identifiers);
    const TimingRules rules = rules_of(query, usable, identifiers);
    TimingGraph full = closed(graph_of(plan, usable, strategy.full), rules);
    if (full.has_cycle()) continue;  // no record matches, so none is missed
    TimingGraph smallest = unclosed(full, rules, strategy.unclosed, set_of(i));
    for (const TimingEdge& edge : strategy.unclosed.edges()) {
      if (smallest.order(edge.from, edge.to) == edge.order) smallest.remove(edge.from, edge.to);
    }
    strategy.negatives.push_back({i, std::move(full), std::move(smallest)});
  }
}

// `graph`: what is known besides the query's facts. Nothing when it has a cycle.
std::optional<Strategy> strategy_for(const Plan& plan, const TimingGraph& graph,
                                     std::optional<Node> last) {
  const Query& query = plan.query;
  const Usable usable = predicates_within(query, query.positives());
  const TimingRules rules = rules_of(query, usable, query.positives());
  TimingGraph full = closed(graph_of(plan, usable, graph), rules);
  if (full.has_cycle()) return std::nullopt;
  const TimingGraph none(query.identifiers.size());
  TimingGraph smallest = unclosed(full, rules, none, 0);
  Strategy strategy{last, std::move(full), std::move(smallest), {}, {}, {}, {}, {}, {}, {}};
  plan_negatives(plan, strategy);
  if (plan.has(Part::kPostDominator)) {
    strategy.post_dominator = find_post_dominator(plan, strategy);
  }
  return strategy;
}

// One for each END that nothing follows, with all other such ENDs before it. Two of them are one
// event where one record stands in both places; of such, the one first in the query is the last.
std::vector<Strategy> split(const Plan& plan, const Strategy& whole) {
  const std::vector<TimingEdge> edges = whole.full.edges();
  std::vector<Node> sinks;
  for (const Node node : whole.full.nodes()) {
    const bool source = std::any_of(edges.begin(), edges.end(),
                                    [node](const TimingEdge& edge) { return edge.from == node; });
    if (!source && (plan.query.positives() & set_of(node.identifier)) != 0) sinks.push_back(node);
  }
  std::vector<Strategy> parts;
  for (const Node last : sinks) {
    TimingGraph graph(plan.query.identifiers.size());
    for (const Node other : sinks) {
      const bool may_tie = other.identifier > last.identifier &&
                           plan.query.identifiers[other.identifier].relation ==
                               plan.query.identifiers[last.identifier].relation;
      if (other != last) graph.add(other, last, may_tie ? Order::kNotAfter : Order::kBefore);
    }
    if (auto part = strategy_for(plan, graph, last)) parts.push_back(std::move(*part));
  }
  return parts;
}

void plan_identifiers(Plan& plan) {
  const Query& query = plan.query;
  plan.identifiers.resize(query.identifiers.size());
  for (std::size_t i = 0; i < query.identifiers.size(); ++i) {
    plan.identifiers[i].may_be_constructor = plan.filter.may_be_constructor(i);
    plan.identifiers[i].lazy = query.identifiers[i].relation == Relation::kObjectAllocation;
  }
  IdentifierSet used = 0;  // objects that a method has
  for (const FactEdge& fact : plan.facts) {
    if (!fact.lifetime) continue;
    // A record that only a NEGATIVE method has may be made too late for the others.
    const bool negative = query.identifiers[fact.from.identifier].negative ||
                          query.identifiers[fact.to.identifier].negative;
    if (!negative) used |= set_of(fact.from.identifier) | set_of(fact.to.identifier);
  }
  const auto keep = [&plan](const FieldReference& field) {
    IdentifierPlan& identifier = plan.identifiers[field.identifier];
    const bool is_time = field.field == Field::kStartTime || field.field == Field::kEndTime ||
                         field.field == Field::kRealStartTime || field.field == Field::kRealEndTime;
    if (field.field == Field::kStartTime || field.field == Field::kRealStartTime ||
        field.field == Field::kThread || field.field == Field::kThreadName ||
        field.field == Field::kContext) {
      identifier.lazy = false;
    }
    auto& kept = identifier.kept;
    if (!is_time && std::find(kept.begin(), kept.end(), field) == kept.end()) kept.push_back(field);
  };
  for (const SelectedItem& item : query.selected) {
    if (item.has_field()) keep(item.field);
  }
  for (std::size_t i = 0; i < query.predicates.size(); ++i) {
    const std::vector<FieldReference> fields = fields_of(query.predicates[i]);
    if (plan.filter.decides(i)) continue;
    for (const FieldReference& field : fields) keep(field);
  }
  for (std::size_t i = 0; i < query.identifiers.size(); ++i) {
    plan.identifiers[i].lazy = plan.identifiers[i].lazy && (used & set_of(i)) != 0;
  }
  for (std::size_t i = 0; i < query.predicates.size(); ++i) {
    const Predicate& predicate = query.predicates[i];
    const std::vector<FieldReference> fields = fields_of(predicate);
    const bool one = predicate.identifiers == set_of(fields.front().identifier);
    if (!one || plan.filter.decides(i) || is_order_of_stamps(predicate)) continue;
    const bool late = std::any_of(fields.begin(), fields.end(), [&](const FieldReference& field) {
      return plan.known_at_end(field);
    });
    IdentifierPlan& identifier = plan.identifiers[fields.front().identifier];
    const bool filters = plan.has(Part::kDynamicFilter);
    (!filters ? identifier.unfiltered
     : late   ? identifier.end_filter
              : identifier.start_filter)
        .push_back(i);
  }
}

bool complete(const std::vector<Strategy>& strategies) {
  return std::all_of(strategies.begin(), strategies.end(),
                     [](const Strategy& strategy) { return strategy.post_dominator; });
}

}  // namespace

bool is_lifetime(const std::vector<FactEdge>& facts, const TimingEdge& edge) {
  return std::any_of(facts.begin(), facts.end(), [&edge](const FactEdge& fact) {
    return fact.lifetime && fact.from == edge.from && fact.to == edge.to;
  });
}

bool Plan::known_at_end(const FieldReference& field) const {
  if (field.field == Field::kReceiver && identifiers[field.identifier].may_be_constructor) {
    return true;
  }
  return query.facts(field).at_end;
}

IdentifierSet Plan::lazy_identifiers() const {
  IdentifierSet set = 0;
  for (std::size_t i = 0; i < identifiers.size(); ++i) {
    if (identifiers[i].lazy) set |= set_of(i);
  }
  return set;
}

Plan make_plan(Query asked, PartSet without) {
  StaticFilter filter(asked, (without & set_of(Part::kStaticFilter)) == 0);
  Plan plan{std::move(asked), without, std::move(filter), {}, {}, {}, {}, {}};
  const Query& query = plan.query;
  plan.facts = fact_edges(query, plan.filter);
  const Usable usable = predicates_within(query, query.positives());
  plan.same_thread = same_threads(query, usable);
  plan_identifiers(plan);
  plan.contradiction = contradiction_of(plan, usable, query.positives());
  if (!plan.contradiction.empty()) return plan;
  const TimingGraph none(query.identifiers.size());
  Strategy whole = *strategy_for(plan, none, std::nullopt);
  if (!whole.post_dominator && plan.has(Part::kPostDominator) && plan.has(Part::kSplit)) {
    std::vector<Strategy> parts = split(plan, whole);
    if (complete(parts)) plan.strategies = std::move(parts);
  }
  // Where even the split does not help, it is a NEGATIVE identifier that waits for the end.
  if (plan.strategies.empty()) plan.strategies.push_back(std::move(whole));
  for (Strategy& strategy : plan.strategies) {
    plan_joins(plan, strategy);
    plan_checks(plan, strategy);
    plan_removals(plan, strategy);
    plan_indexes(plan, strategy);
  }
  return plan;
}

}  // namespace copse::ptql
