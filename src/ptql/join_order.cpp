#include "ptql/join_order.h"

#include <algorithm>
#include <bit>
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
      return Probe{*field, *other};
    }
  }
  return std::nullopt;
}

// Threads are few, so an index by them is the last to choose; another is better than none.
int worth(const Query& query, const Probe& probe) {
  if (probe.indexed.field == Field::kThread) return 1;
  return query.facts(probe.indexed).type == FieldType::kString ? 2 : 3;
}

int worth(const Query& query, const JoinStep& step) {
  if (step.probe) return 10 + worth(query, *step.probe);
  return step.predicates.empty() ? (step.edges.empty() ? 0 : 1) : 2;
}

std::vector<TimingEdge> tested_edges(const Plan& plan, const TimingGraph& unclosed) {
  std::vector<TimingEdge> edges = unclosed.edges();
  std::erase_if(edges, [&plan](const TimingEdge& edge) { return is_lifetime(plan.facts, edge); });
  return edges;
}

// Of a NEGATIVE identifier and `others`, if no predicate names it and one more, and it has ended
// before `now`: whether a record of it matches is decided then.
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

}  // namespace

bool is_joined(const Plan& plan, std::size_t predicate) {
  const Predicate& asked = plan.query.predicates[predicate];
  return std::popcount(asked.identifiers) > 1 && !is_order_of_stamps(asked);
}

std::optional<Probe> best_probe(const Query& query, const std::vector<std::size_t>& predicates,
                                std::uint32_t identifier, IdentifierSet bound) {
  std::optional<Probe> best;
  for (const std::size_t i : predicates) {
    auto probe = probe_of(query, query.predicates[i], identifier, bound);
    if (probe && (!best || worth(query, *probe) > worth(query, *best))) best = std::move(probe);
  }
  return best;
}

JoinStep step_to(const Plan& plan, const std::vector<TimingEdge>& edges, std::uint32_t identifier,
                 IdentifierSet bound) {
  JoinStep step{identifier, std::nullopt, {}, {}};
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
  step.probe = best_probe(plan.query, step.predicates, identifier, bound);
  return step;
}

void plan_joins(const Plan& plan, Strategy& strategy) {
  const std::vector<TimingEdge> edges = tested_edges(plan, strategy.unclosed);
  IdentifierSet bound = 0;
  if (strategy.post_dominator) bound = set_of(strategy.post_dominator->identifier);
  const IdentifierSet positives = plan.query.positives();
  while (bound != positives) {
    std::optional<JoinStep> best;
    for (std::uint32_t i = 0; i < plan.query.identifiers.size(); ++i) {
      if ((positives & ~bound & set_of(i)) == 0) continue;
      JoinStep step = step_to(plan, edges, i, bound);
      if (!best || worth(plan.query, step) > worth(plan.query, *best)) best = std::move(step);
    }
    bound |= set_of(best->identifier);
    strategy.joins.push_back(std::move(*best));
  }
  for (const NegativeOrder& negative : strategy.negatives) {
    JoinStep step = step_to(plan, {}, negative.identifier, positives);
    // Between others, too: what makes this record one that counts.
    step.edges = tested_edges(plan, negative.unclosed);
    strategy.absences.push_back(std::move(step));
  }
}

void plan_checks(const Plan& plan, Strategy& strategy) {
  const IdentifierSet positives = plan.query.positives();
  const auto add = [&](const TimingEdge& edge) {
    const std::uint32_t own = edge.to.identifier;
    const std::uint32_t other = edge.from.identifier;
    if (own == other || (positives & set_of(other)) == 0 || edge.to == strategy.post_dominator) {
      return;
    }
    EvidenceCheck check{edge.to, edge.from, edge.order, edge.from == strategy.post_dominator,
                        {},      {},        {},         {}};
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
    check.probe = best_probe(plan.query, check.predicates, other, set_of(own));
    if (check.probe && check.probe->equal_to.field() != nullptr) {
      check.supported = *check.probe->equal_to.field();
    }
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

}  // namespace copse::ptql
