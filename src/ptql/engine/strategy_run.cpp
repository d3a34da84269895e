#include "ptql/engine/strategy_run.h"

#include <algorithm>
#include <utility>

#include "ptql/language/predicate_value.h"
#include "ptql/plan/join_order.h"

namespace copse::ptql {

StrategyRun::StrategyRun(const Plan& plan, const Strategy& strategy, const RecordLayout& layout,
                         std::uint32_t first_list, const EngineOptions& options, TupleSink tuples,
                         RemovalSink removed)
    : plan_(plan),
      strategy_(strategy),
      layout_(layout),
      tuples_(std::move(tuples)),
      removed_(std::move(removed)),
      stop_(options.stop),
      earlier_(plan.identifiers.size()),
      checks_needing_(plan.identifiers.size()),
      bound_(plan.identifiers.size(), nullptr) {
  for (const std::vector<IndexFields>& indexes : strategy.indexes) {
    tables_.emplace_back(layout, first_list, indexes);
    first_list += tables_.back().lists();
  }
  for (const std::vector<JoinStep>& steps : strategy.joins) {
    const auto first = first_join(plan.query, steps);
    // An order that begins with a whole table is the only one there is.
    if (first != steps.end() && !first->lookup.probes.empty()) firsts_.push_back(&*first);
  }
  for (const Node repetition : strategy.repetitions) {
    const std::uint32_t identifier = repetition.identifier;
    earlier_[identifier].emplace(layout, repetition, plan.identifiers[identifier].kept);
  }
  for (const EvidenceCheck& check : strategy.checks) {
    if (!plan.has(Part::kPropagation)) break;
    checks_needing_[check.needs.identifier].push_back(&check);
  }
}

std::uint32_t StrategyRun::lists() const noexcept {
  std::uint32_t lists = 0;
  for (const Table& table : tables_) lists += table.lists();
  return lists;
}

void StrategyRun::start(Record& record, IdentifierSet identifiers) {
  for (std::uint32_t i = 0; i < tables_.size(); ++i) {
    if ((identifiers & set_of(i)) == 0) continue;
    const Node node{i, false};
    if (node == strategy_.post_dominator) {
      evaluate(record, i);
    } else if (is_supported(record, node) && !is_repeated(record, node)) {
      tables_[i].add(record);
      remember(record, node);
    }
  }
}

void StrategyRun::end(Record& record, IdentifierSet identifiers) {
  for (Table& table : tables_) {
    if (table.has(record)) table.add_end(record);
  }
  IdentifierSet negatives = 0;  // whose record it is
  for (std::uint32_t i = 0; i < tables_.size(); ++i) {
    const Node node{i, true};
    if (!tables_[i].has(record)) continue;
    const bool is_its = (identifiers & set_of(i)) != 0;
    if (is_its && passes(record, i)) negatives |= set_of(i) & plan_.query.negatives();
    const bool stays = is_its && (node == strategy_.post_dominator ||
                                  (is_supported(record, node) && !is_repeated(record, node)));
    if (stays) {
      remember(record, node);
    } else {
      remove(record, i);
    }
  }
  if (const auto& last = strategy_.post_dominator;
      last && last->end && tables_[last->identifier].has(record)) {
    evaluate(record, last->identifier);
    remove(record, last->identifier);
  }
  if (negatives != 0) {
    for (const Refutation& refutation : strategy_.refutations) {
      const std::uint32_t negative = refutation.negative;
      if ((negatives & set_of(negative)) != 0 && !refute(record, refutation) &&
          tables_[negative].has(record)) {
        remove(record, negative);
      }
    }
  }
  drop_unsupported();
}

void StrategyRun::finish() {
  if (!strategy_.post_dominator) join(strategy_.joins.front(), 0);
}

void StrategyRun::drop(Record& record) {
  for (std::uint32_t i = 0; i < tables_.size(); ++i) {
    if (tables_[i].has(record)) remove(record, i);
  }
  drop_unsupported();
}

// --- look-ups ---

// Returns the key of the bound records' values; std::nullopt if no record can be equal.
std::optional<IndexKey> StrategyRun::key_of(const Lookup& lookup) const {
  return key_of_values(
      lookup.probes.size(),
      [&](std::size_t i) {
        return value_of(lookup.probes[i].equal_to,
                        [this](const FieldReference& field) { return value(field); });
      },
      [&](std::size_t i) { return lookup.probes[i].boxes; });
}

// `visit(record)` of each record that can be; false from it ends the walk, as does the end of the engine:
// then no NEGATIVE record is known to be absent, and no tuple is taken.
template <typename Visit>
bool StrategyRun::each_candidate(std::uint32_t identifier, const Lookup& lookup, Visit visit) {
  const Table& table = tables_[identifier];
  const bool indexed = !lookup.probes.empty();
  Record* record = indexed ? table.first_with(lookup.index, key_of(lookup)) : table.first();
  while (record != nullptr && !is_too_early(*record, lookup)) {
    if (is_stopped() || !visit(*record)) return false;
    record = indexed ? table.next_with(lookup.index, *record) : table.next(*record);
  }
  return true;
}

// An edge from an event that has not happened yet is later than all records.
bool StrategyRun::is_too_early(const Record& record, const Lookup& lookup) const {
  return std::any_of(lookup.back_to.begin(), lookup.back_to.end(), [&](const TimingEdge& edge) {
    return record.at(edge.to) < bound_[edge.from.identifier]->at(edge.from);
  });
}

// --- support ---

bool StrategyRun::supports(const Record& candidate, const EvidenceCheck& check, Stamp now) {
  const Stamp needed = candidate.at(check.needs);
  return (check.order == Order::kNotAfter ? needed <= now : needed < now) &&
         satisfied(check.predicates) &&
         std::all_of(check.absences.begin(), check.absences.end(),
                     [this](const JoinStep& absence) { return is_absent(absence); });
}

bool StrategyRun::is_supported(const Record& record, Node at) {
  const Stamp now = record.at(at);
  return std::all_of(strategy_.checks.begin(), strategy_.checks.end(),
                     [&](const EvidenceCheck& check) {
                       if (!(check.at == at)) return true;
                       if (check.never) return false;
                       const std::uint32_t other = check.needs.identifier;
                       bound_[at.identifier] = &record;
                       return !each_candidate(other, check.lookup, [&](Record& candidate) {
                         bound_[other] = &candidate;
                         return !supports(candidate, check, now);
                       });
                     });
}

// --- tuples ---

bool StrategyRun::satisfied(const std::vector<std::size_t>& predicates) const {
  return std::all_of(predicates.begin(), predicates.end(), [this](std::size_t i) {
    return holds(plan_.query.predicates[i],
                 [this](const FieldReference& field) { return value(field); });
  });
}

bool StrategyRun::passes(const Record& record, std::uint32_t identifier) {
  bound_[identifier] = &record;
  return satisfied(plan_.identifiers[identifier].unfiltered);
}

// An event that has not happened yet is after all events that have.
bool StrategyRun::in_order(const std::vector<TimingEdge>& edges) const {
  return std::all_of(edges.begin(), edges.end(), [this](const TimingEdge& edge) {
    const Stamp from = bound_[edge.from.identifier]->at(edge.from);
    const Stamp to = bound_[edge.to.identifier]->at(edge.to);
    return from != kNotYet && (edge.order == Order::kNotAfter ? from <= to : from < to);
  });
}

void StrategyRun::evaluate(Record& record, std::uint32_t identifier) {
  if (passes(record, identifier)) join(shortest_order(), 0);
}

// Whose first table has the fewest records: a walk over all of them at once ends with that one's last.
const std::vector<JoinStep>& StrategyRun::shortest_order() {
  if (firsts_.size() < 2) return strategy_.joins.front();
  walks_.clear();
  for (const JoinStep* first : firsts_) {
    walks_.push_back(
        tables_[first->identifier].first_with(first->lookup.index, key_of(first->lookup)));
    if (walks_.back() == nullptr) return strategy_.joins[walks_.size() - 1];
  }
  for (;;) {
    for (std::size_t i = 0; i < firsts_.size(); ++i) {
      walks_[i] = tables_[firsts_[i]->identifier].next_with(firsts_[i]->lookup.index, *walks_[i]);
      if (walks_[i] == nullptr) return strategy_.joins[i];
    }
  }
}

bool StrategyRun::bind(const JoinStep& step, Record& candidate) {
  bound_[step.identifier] = &candidate;
  return in_order(step.edges) && satisfied(step.predicates);
}

// False: no more tuples are wanted.
bool StrategyRun::join(const std::vector<JoinStep>& steps, std::size_t next) {
  if (next == steps.size()) return tuples_(bound_);
  const JoinStep& step = steps[next];
  if (plan_.query.identifiers[step.identifier].negative) {
    return !is_absent(step) || join(steps, next + 1);
  }
  return each_candidate(step.identifier, step.lookup, [&](Record& candidate) {
    return !bind(step, candidate) || join(steps, next + 1);
  });
}

bool StrategyRun::is_absent(const JoinStep& step) {
  return each_candidate(step.identifier, step.lookup,
                        [this, &step](Record& candidate) { return !bind(step, candidate); });
}

bool StrategyRun::is_repeated(const Record& record, Node at) const {
  const auto& earlier = earlier_[at.identifier];
  return earlier && earlier->at() == at && earlier->has_one_like(record);
}

void StrategyRun::remember(const Record& record, Node at) {
  auto& earlier = earlier_[at.identifier];
  if (earlier && earlier->at() == at) earlier->add(record);
}

// --- refutation ---

// Returns true if each predicate holds or depends on values that are not known yet.
bool StrategyRun::may_be_satisfied(const std::vector<std::size_t>& predicates) const {
  return std::all_of(predicates.begin(), predicates.end(), [this](std::size_t i) {
    const Predicate& predicate = plan_.query.predicates[i];
    const std::vector<FieldReference> fields = fields_of(predicate);
    return std::any_of(fields.begin(), fields.end(),
                       [this](const FieldReference& field) {
                         return bound_[field.identifier]->end == kNotYet &&
                                plan_.known_at_end(field);
                       }) ||
           holds(predicate, [this](const FieldReference& field) { return value(field); });
  });
}

bool StrategyRun::is_saved(const Record& record, const Refutation& refutation) {
  bound_[refutation.identifier] = &record;
  return std::any_of(refutation.saved_by.begin(), refutation.saved_by.end(),
                     [this](const Refutation::Saving& saving) {
                       const std::uint32_t other = saving.at.identifier;
                       return !each_candidate(
                           other, saving.lookup, [this, &saving, other](Record& candidate) {
                             bound_[other] = &candidate;
                             return candidate.at(saving.at) == kNotYet || !in_order(saving.edges) ||
                                    !may_be_satisfied(saving.predicates);
                           });
                     });
}

bool StrategyRun::refute(const Record& negative, const Refutation& refutation) {
  std::vector<Record*> refuted;
  bound_[refutation.negative] = &negative;
  each_candidate(refutation.identifier, refutation.lookup, [&](Record& candidate) {
    bound_[refutation.identifier] = &candidate;
    if (in_order(refutation.edges) && satisfied(refutation.predicates)) {
      refuted.push_back(&candidate);
    }
    return true;
  });
  bool needed = !refutation.once;
  for (Record* record : refuted) {
    if (is_saved(*record, refutation)) {
      needed = true;
    } else {
      remove(*record, refutation.identifier);
    }
  }
  return needed;
}

// --- removal ---

void StrategyRun::remove(Record& record, std::uint32_t identifier) {
  if (earlier_[identifier]) earlier_[identifier]->remove(record);
  Table& table = tables_[identifier];
  table.remove(record);
  for (const EvidenceCheck* check : checks_needing_[identifier]) {
    if (check->supported.empty()) {
      if (table.size() == 0) unsupported_.push_back({check, {}});
      continue;
    }
    if (check->never) continue;
    // Those with other keys went with the last record of theirs.
    const std::optional<IndexKey> key = table.key_of(record, check->lookup.index);
    if (key && table.first_with(check->lookup.index, key) == nullptr) {
      unsupported_.push_back({check, key});
    }
  }
  removed_(record);
}

// Only what was checked already: a later record may support those whose event is to come.
void StrategyRun::drop_unsupported() {
  while (!unsupported_.empty()) {
    const Unsupported gone = std::move(unsupported_.back());
    unsupported_.pop_back();
    const EvidenceCheck& check = *gone.check;
    const std::uint32_t identifier = check.at.identifier;
    const Table& table = tables_[identifier];
    if (check.at.end && table.ended() == 0) continue;  // those that run can be many
    const std::size_t index = check.supported_index;
    std::vector<Record*> dropped;
    Record* record = gone.key ? table.first_with(index, gone.key) : table.first();
    while (record != nullptr) {
      if (record->at(check.at) != kNotYet) dropped.push_back(record);
      record = gone.key ? table.next_with(index, *record) : table.next(*record);
    }
    for (Record* unsupported : dropped) remove(*unsupported, identifier);
  }
}

}  // namespace copse::ptql
