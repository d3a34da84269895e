#include "ptql/plan/join_order.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

namespace copse::ptql {
namespace {

// Equal keys of an index must mean equal values, which strings and String objects break.
bool is_string_field(const Query& query, const Operand& operand) {
  const FieldReference* field = operand.field();
  return field != nullptr && query.facts(*field).type == FieldType::kString;
}

IdentifierSet identifiers_of(const Operand& operand) {
  IdentifierSet set = 0;
  for (const Term& term : operand.terms) {
    if (const auto* field = std::get_if<FieldReference>(&term.what)) {
      set |= set_of(field->identifier);
    }
  }
  return set;
}

// A way into the table of `identifier` by values of the bound ones, if the predicate is one.
std::optional<Probe> probe_of(const Query& query, const Predicate& predicate,
                              std::uint32_t identifier, IdentifierSet bound) {
  if (predicate.kind != Predicate::Kind::kComparison ||
      predicate.comparison != Comparison::kEqual) {
    return std::nullopt;
  }
  for (const auto& [own, other] : {std::pair(&predicate.left, &predicate.right),
                                   std::pair(&predicate.right, &predicate.left)}) {
    const FieldReference* field = own->field();
    if (field == nullptr || field->identifier != identifier) continue;
    const IdentifierSet needed = identifiers_of(*other);
    if (needed == 0 || (needed & ~bound) != 0) continue;
    const bool is_time = field->field == Field::kStartTime || field->field == Field::kEndTime ||
                         field->field == Field::kRealStartTime ||
                         field->field == Field::kRealEndTime;
    if (!is_time && is_string_field(query, *own) == is_string_field(query, *other)) {
      return Probe{*field, *other, predicate.of_objects ? Boxes::kObjects : Boxes::kValues};
    }
  }
  return std::nullopt;
}

// Names, and numbers of parameters, are few; texts of Strings are as many as objects.
bool is_name(const Query& query, const Probe& probe) {
  const Field field = probe.indexed.field;
  if (field == Field::kParameters) return true;
  return query.facts(probe.indexed).type == FieldType::kString && source_of(field) == field;
}

// Threads are few, so an index by them is the last to choose; another is better than none.
constexpr int kWorthOfName = 2;
int worth(const Query& query, const Probe& probe) {
  if (probe.indexed.field == Field::kThread) return 1;
  return is_name(query, probe) ? kWorthOfName : 3;
}

int worth(const Query& query, const JoinStep& step) {
  int sum = step.lookup.probes.empty() ? 0 : 10;
  for (const Probe& probe : step.lookup.probes) sum += worth(query, probe);
  if (sum > 0) return sum;
  return step.predicates.empty() ? (step.edges.empty() ? 0 : 1) : 2;
}

std::vector<TimingEdge> tested_edges(const Plan& plan, const TimingGraph& unclosed) {
  std::vector<TimingEdge> edges = unclosed.edges();
  std::erase_if(edges, [&plan](const TimingEdge& edge) { return is_lifetime(plan.facts, edge); });
  return edges;
}

// Returns the join step of a NEGATIVE identifier with `others`, if no predicate names it and a further identifier, and
// it has ended before `now`: a match is decided then. Otherwise std::nullopt.
std::optional<JoinStep> decided_absence(const Plan& plan, std::uint32_t negative,
                                        IdentifierSet others, Node now) {
  JoinStep step = step_to(plan, {}, negative, others);
  bool ended = false;
  for (const Predicate& predicate : plan.query.predicates) {
    if ((predicate.identifiers & set_of(negative)) == 0) continue;
    if ((predicate.identifiers & ~(others | set_of(negative))) != 0) return std::nullopt;
    const auto edge = order_of_stamps(predicate);
    if (!edge) continue;
    step.edges.push_back(*edge);
    ended = ended || (edge->from == Node{negative, true} && edge->to == now);
  }
  if (!ended) return std::nullopt;
  return step;
}

// How the check finds a record that supports another one, and the other way round.
void plan_support(const Plan& plan, EvidenceCheck& check) {
  check.lookup =
      lookup_by(plan, check.predicates, check.needs.identifier, set_of(check.at.identifier));
  std::vector<Probe>& probes = check.lookup.probes;
  const auto compares_fields = [](const Probe& probe) { return probe.equal_to.field() != nullptr; };
  // Those that compare two fields tell both; another one would be the better way to nothing else.
  if (std::ranges::any_of(probes, compares_fields)) {
    std::erase_if(probes, [&](const Probe& probe) { return !compares_fields(probe); });
    for (const Probe& probe : probes) {
      check.supported.push_back({*probe.equal_to.field(), probe.boxes});
    }
  }
}

IndexFields fields_of_index(const Lookup& lookup) {
  IndexFields fields;
  for (const Probe& probe : lookup.probes) fields.push_back({probe.indexed, probe.boxes});
  return fields;
}

class JoinOrders {
 public:
  JoinOrders(const Plan& plan, const Strategy& strategy)
      : plan_(plan),
        edges_(tested_edges(plan, strategy.unclosed)),
        bound_(strategy.post_dominator ? set_of(strategy.post_dominator->identifier) : 0) {
    for (const NegativeOrder& negative : strategy.negatives) {
      JoinStep step = step_to(plan, {}, negative.identifier, plan.query.positives());
      // Between others, too: what makes this record one that counts.
      step.edges = tested_edges(plan, negative.unclosed);
      absences_.push_back(std::move(step));
    }
  }

  // Returns the tables that an order may begin with because the event's record alone selects their records.
  std::vector<std::uint32_t> alternatives() const {
    std::vector<std::uint32_t> found;
    for (const std::uint32_t i : unbound(bound_)) {
      if (!step_to(plan_, edges_, i, bound_).lookup.probes.empty()) found.push_back(i);
    }
    return found;
  }

  std::vector<JoinStep> beginning_with(std::optional<std::uint32_t> first) const {
    std::vector<JoinStep> steps;
    std::vector<JoinStep> absences = absences_;
    IdentifierSet bound = bound_;
    take_decided(absences, bound, steps);
    while (bound != plan_.query.positives()) {
      JoinStep next = first ? step_to(plan_, edges_, *first, bound) : best_step(bound);
      first.reset();
      bound |= set_of(next.identifier);
      steps.push_back(std::move(next));
      take_decided(absences, bound, steps);
    }
    std::ranges::move(absences, std::back_inserter(steps));
    return steps;
  }

 private:
  std::vector<std::uint32_t> unbound(IdentifierSet bound) const {
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < plan_.query.identifiers.size(); ++i) {
      if ((plan_.query.positives() & ~bound & set_of(i)) != 0) found.push_back(i);
    }
    return found;
  }

  JoinStep best_step(IdentifierSet bound) const {
    std::optional<JoinStep> best;
    for (const std::uint32_t i : unbound(bound)) {
      JoinStep step = step_to(plan_, edges_, i, bound);
      if (!best || worth(plan_.query, step) > worth(plan_.query, *best)) best = std::move(step);
    }
    return std::move(*best);
  }

  // As soon as all that they are about is bound. Those that walk over a whole table wait until the end.
  void take_decided(std::vector<JoinStep>& absences, IdentifierSet bound,
                    std::vector<JoinStep>& steps) const {
    std::erase_if(absences, [&](JoinStep& absence) {
      const IdentifierSet others = identifiers_of(absence) & ~set_of(absence.identifier);
      const bool is_decided = (others & ~bound) == 0 && !absence.lookup.probes.empty();
      if (is_decided) steps.push_back(std::move(absence));
      return is_decided;
    });
  }

  IdentifierSet identifiers_of(const JoinStep& step) const {
    IdentifierSet set = 0;
    for (const std::size_t i : step.predicates) set |= plan_.query.predicates[i].identifiers;
    for (const TimingEdge& edge : step.edges) {
      set |= set_of(edge.from.identifier) | set_of(edge.to.identifier);
    }
    return set;
  }

  const Plan& plan_;
  const std::vector<TimingEdge> edges_;
  const IdentifierSet bound_;  // at the beginning
  std::vector<JoinStep> absences_;
};

std::size_t index_by(std::vector<IndexFields>& indexes, IndexFields fields) {
  const auto known = std::ranges::find(indexes, fields);
  if (known != indexes.end()) return static_cast<std::size_t>(known - indexes.begin());
  indexes.push_back(std::move(fields));
  return indexes.size() - 1;
}

// The event by which the records are in order. Objects may be told of long after they were made, and the
// receiver of a constructor is known at its end, that of another method at its start.
std::optional<Node> order_of(const Plan& plan, std::uint32_t identifier, const Lookup& lookup) {
  if (plan.query.identifiers[identifier].relation != Relation::kMethodInvocation) return {};
  const auto at_end = [](const auto& is_known_at_end, const Lookup& by) {
    return std::ranges::any_of(by.probes,
                               [&](const Probe& probe) { return is_known_at_end(probe.indexed); });
  };
  const auto always = [&plan](const FieldReference& field) {
    return plan.query.facts(field).at_end;
  };
  const auto perhaps = [&plan](const FieldReference& field) { return plan.known_at_end(field); };
  if (at_end(always, lookup)) return Node{identifier, true};
  if (at_end(perhaps, lookup)) return {};
  return Node{identifier, false};
}

// Adds the edges that lead to the records that the lookup finds.
void plan_way_back(const Plan& plan, std::uint32_t identifier, const std::vector<TimingEdge>& edges,
                   Lookup& lookup) {
  const auto order = order_of(plan, identifier, lookup);
  if (!order) return;
  for (const TimingEdge& edge : edges) {
    // An event before the START is also before the END, but not vice versa.
    const bool bounds = edge.to.identifier == identifier && (order->end || !edge.to.end);
    if (bounds && edge.from.identifier != identifier) {
      lookup.back_to.push_back({edge.from, *order, edge.order});
    }
  }
}

}  // namespace

std::vector<JoinStep>::const_iterator first_join(const Query& query,
                                                 const std::vector<JoinStep>& steps) {
  return std::ranges::find_if(steps, [&query](const JoinStep& step) {
    return !query.identifiers[step.identifier].negative;
  });
}

bool is_joined(const Plan& plan, std::size_t predicate) {
  const Predicate& asked = plan.query.predicates[predicate];
  const bool is_of_one = std::popcount(asked.identifiers) == 1;
  if (is_of_one && (plan.has(Part::kDynamicFilter) || plan.filter.decides(predicate))) return false;
  return !is_order_of_stamps(asked);
}

// Keeps one probe per field: all predicates are tested anyway.
Lookup lookup_by(const Plan& plan, const std::vector<std::size_t>& predicates,
                 std::uint32_t identifier, IdentifierSet bound) {
  Lookup lookup;
  if (!plan.has(Part::kIndex)) return lookup;
  const Query& query = plan.query;
  for (const std::size_t i : predicates) {
    auto probe = probe_of(query, query.predicates[i], identifier, bound);
    const bool is_new = probe && std::ranges::none_of(lookup.probes, [&probe](const Probe& other) {
                          return other.indexed == probe->indexed;
                        });
    if (is_new) lookup.probes.push_back(std::move(*probe));
  }
  // Beside an object or a number, a name costs more than it selects.
  if (std::ranges::any_of(lookup.probes,
                          [&](const Probe& probe) { return worth(query, probe) > kWorthOfName; })) {
    std::erase_if(lookup.probes, [&](const Probe& probe) { return is_name(query, probe); });
  }
  // One order, so that lookups by the same fields share an index.
  std::ranges::sort(lookup.probes, {}, [](const Probe& probe) {
    return std::pair(probe.indexed.field, probe.indexed.parameter);
  });
  return lookup;
}

JoinStep step_to(const Plan& plan, const std::vector<TimingEdge>& edges, std::uint32_t identifier,
                 IdentifierSet bound) {
  JoinStep step{identifier, {}, {}, {}};
  const IdentifierSet after = bound | set_of(identifier);
  for (std::size_t i = 0; i < plan.query.predicates.size(); ++i) {
    const IdentifierSet named = plan.query.predicates[i].identifiers;
    if (is_joined(plan, i) && (named & set_of(identifier)) != 0 && (named & ~after) == 0) {
      step.predicates.push_back(i);
    }
  }
  for (const TimingEdge& edge : edges) {
    const IdentifierSet named = set_of(edge.from.identifier) | set_of(edge.to.identifier);
    if ((named & set_of(identifier)) != 0 && (named & ~after) == 0) step.edges.push_back(edge);
  }
  step.lookup = lookup_by(plan, step.predicates, identifier, bound);
  return step;
}

void plan_joins(const Plan& plan, Strategy& strategy) {
  const JoinOrders orders(plan, strategy);
  strategy.joins.push_back(orders.beginning_with({}));
  if (!plan.has(Part::kJoinOrder)) return;
  const auto first = first_join(plan.query, strategy.joins.front());
  for (const std::uint32_t identifier : orders.alternatives()) {
    if (first != strategy.joins.front().end() && first->identifier != identifier) {
      strategy.joins.push_back(orders.beginning_with(identifier));
    }
  }
}

void plan_checks(const Plan& plan, Strategy& strategy) {
  const IdentifierSet positives = plan.query.positives();
  const auto add = [&](const TimingEdge& edge) {
    const std::uint32_t own = edge.to.identifier;
    const std::uint32_t other = edge.from.identifier;
    if (own == other || (positives & set_of(other)) == 0 || edge.to == strategy.post_dominator ||
        !plan.has(edge.to.end ? Part::kRetention : Part::kAdmission)) {
      return;
    }
    EvidenceCheck check{
        edge.to, edge.from, edge.order, edge.from == strategy.post_dominator, {}, {}, {}, 0, {}};
    for (std::size_t i = 0; i < plan.query.predicates.size(); ++i) {
      const Predicate& predicate = plan.query.predicates[i];
      if (!is_joined(plan, i) || predicate.identifiers != (set_of(own) | set_of(other))) continue;
      const std::vector<FieldReference> fields = fields_of(predicate);
      const bool known =
          std::all_of(fields.begin(), fields.end(), [&](const FieldReference& field) {
            return !plan.known_at_end(field) ||
                   (field.identifier == own ? edge.to.end : edge.from.end);
          });
      if (known) check.predicates.push_back(i);
    }
    plan_support(plan, check);
    for (const NegativeOrder& negative : strategy.negatives) {
      auto step = decided_absence(plan, negative.identifier, set_of(own) | set_of(other), edge.to);
      if (step) check.absences.push_back(std::move(*step));
    }
    strategy.checks.push_back(std::move(check));
  };
  for (const TimingEdge& edge : strategy.unclosed.edges()) add(edge);
  for (const NegativeOrder& negative : strategy.negatives) {
    for (const TimingEdge& edge : negative.unclosed.edges()) {
      if (edge.to.identifier == negative.identifier) add(edge);
    }
  }
}

void plan_indexes(const Plan& plan, Strategy& strategy) {
  strategy.indexes.resize(plan.identifiers.size());
  const auto choose = [&strategy](std::uint32_t identifier, Lookup& lookup) {
    if (lookup.probes.empty()) return;
    lookup.index = index_by(strategy.indexes[identifier], fields_of_index(lookup));
  };
  const auto choose_for = [&](JoinStep& step) {
    choose(step.identifier, step.lookup);
    plan_way_back(plan, step.identifier, step.edges, step.lookup);
  };
  for (std::vector<JoinStep>& steps : strategy.joins) std::ranges::for_each(steps, choose_for);
  for (EvidenceCheck& check : strategy.checks) {
    if (check.never) continue;
    choose(check.needs.identifier, check.lookup);
    if (!check.supported.empty()) {
      check.supported_index = index_by(strategy.indexes[check.at.identifier], check.supported);
    }
    std::ranges::for_each(check.absences, choose_for);
  }
  for (Refutation& refutation : strategy.refutations) {
    choose(refutation.identifier, refutation.lookup);
    plan_way_back(plan, refutation.identifier, refutation.edges, refutation.lookup);
    for (Refutation::Saving& saving : refutation.saved_by) {
      choose(saving.at.identifier, saving.lookup);
    }
  }
}

}  // namespace copse::ptql
