#include "ptql/strategy_run.h"

#include <algorithm>
#include <utility>

#include "ptql/predicate_value.h"

namespace copse::ptql {
namespace {

void want_index(std::vector<FieldReference>& indexed, const FieldReference& field) {
  if (std::find(indexed.begin(), indexed.end(), field) == indexed.end()) indexed.push_back(field);
}

// By identifier: what its table is asked by.
std::vector<std::vector<FieldReference>> indexes_of(const Plan& plan, const Strategy& strategy,
                                                    bool prune) {
  std::vector<std::vector<FieldReference>> indexed(plan.identifiers.size());
  for (const auto* steps : {&strategy.joins, &strategy.absences}) {
    for (const JoinStep& step : *steps) {
      if (step.probe) want_index(indexed[step.identifier], step.probe->indexed);
    }
  }
  for (const EvidenceCheck& check : strategy.checks) {
    if (!prune || check.never) continue;
    if (check.probe) want_index(indexed[check.needs.identifier], check.probe->indexed);
    if (check.supported) want_index(indexed[check.at.identifier], *check.supported);
    for (const JoinStep& absence : check.absences) {
      if (absence.probe) want_index(indexed[absence.identifier], absence.probe->indexed);
    }
  }
  for (const Refutation& refutation : strategy.refutations) {
    if (!prune) break;
    if (refutation.probe) want_index(indexed[refutation.identifier], refutation.probe->indexed);
    for (const Refutation::Saving& saving : refutation.saved_by) {
      if (saving.probe) want_index(indexed[saving.at.identifier], saving.probe->indexed);
    }
  }
  return indexed;
}

}  // namespace

StrategyRun::StrategyRun(const Plan& plan, const Strategy& strategy, const RecordLayout& layout,
                         std::uint32_t first_list, bool prune, TupleSink tuples,
                         RemovalSink removed)
    : plan_(plan),
      strategy_(strategy),
      layout_(layout),
      tuples_(std::move(tuples)),
      removed_(std::move(removed)),
      prune_(prune),
      earlier_(plan.identifiers.size()),
      checks_needing_(plan.identifiers.size()),
      bound_(plan.identifiers.size(), nullptr) {
  for (auto& indexed : indexes_of(plan, strategy, prune)) {
    tables_.emplace_back(layout, first_list, std::move(indexed));
    first_list += tables_.back().lists();
  }
  if (!prune) return;
  for (const Node repetition : strategy.repetitions) {
    const std::uint32_t identifier = repetition.identifier;
    earlier_[identifier].emplace(layout, repetition, plan.identifiers[identifier].kept);
  }
  for (const EvidenceCheck& rule : strategy.checks) {
    Check check{&rule, {}, {}};
    if (rule.probe && !rule.never) {
      check.needed_index = tables_[rule.needs.identifier].index_of(rule.probe->indexed);
      if (rule.supported) {
        check.supported_index = tables_[rule.at.identifier].index_of(*rule.supported);
      }
    }
    checks_.push_back(check);
  }
  for (const Check& check : checks_) {
    checks_needing_[check.rule->needs.identifier].push_back(&check);
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
    if (is_its) negatives |= set_of(i) & plan_.query.negatives();
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
  if (prune_ && negatives != 0) {
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
  if (!strategy_.post_dominator) join(0);
}

void StrategyRun::drop(Record& record) {
  for (std::uint32_t i = 0; i < tables_.size(); ++i) {
    if (tables_[i].has(record)) remove(record, i);
  }
  drop_unsupported();
}

// --- support ---

bool StrategyRun::supports(const Record& candidate, const EvidenceCheck& rule, Stamp now) {
  const Stamp needed = candidate.at(rule.needs);
  return (rule.order == Order::kNotAfter ? needed <= now : needed < now) &&
         satisfied(rule.predicates) &&
         std::all_of(rule.absences.begin(), rule.absences.end(),
                     [this](const JoinStep& absence) { return is_absent(absence); });
}

bool StrategyRun::is_supported(const Record& record, Node at) {
  const Stamp now = record.at(at);
  for (const Check& check : checks_) {
    const EvidenceCheck& rule = *check.rule;
    if (!(rule.at == at)) continue;
    if (rule.never) return false;
    const std::uint32_t other = rule.needs.identifier;
    const Table& table = tables_[other];
    bound_[at.identifier] = &record;
    Record* candidate = nullptr;
    if (check.needed_index) {
      const Value wanted = value_of(rule.probe->equal_to,
                                    [this](const FieldReference& field) { return value(field); });
      candidate = table.first_with(*check.needed_index, wanted);
    } else {
      candidate = table.first();
    }
    while (candidate != nullptr) {
      bound_[other] = candidate;
      if (supports(*candidate, rule, now)) break;
      candidate = check.needed_index ? table.next_with(*check.needed_index, *candidate)
                                     : table.next(*candidate);
    }
    if (candidate == nullptr) return false;
  }
  return true;
}

// --- tuples ---

bool StrategyRun::satisfied(const std::vector<std::size_t>& predicates) const {
  return std::all_of(predicates.begin(), predicates.end(), [this](std::size_t i) {
    return holds(plan_.query.predicates[i],
                 [this](const FieldReference& field) { return value(field); });
  });
}

// What is still to come is after all that has happened.
bool StrategyRun::in_order(const std::vector<TimingEdge>& edges) const {
  return std::all_of(edges.begin(), edges.end(), [this](const TimingEdge& edge) {
    const Stamp from = bound_[edge.from.identifier]->at(edge.from);
    const Stamp to = bound_[edge.to.identifier]->at(edge.to);
    return from != kNotYet && (edge.order == Order::kNotAfter ? from <= to : from < to);
  });
}

void StrategyRun::evaluate(Record& record, std::uint32_t identifier) {
  bound_[identifier] = &record;
  join(0);
}

// `visit(record)` of each record that the step may bind; false from it ends the walk.
template <typename Visit>
bool StrategyRun::each_candidate(std::uint32_t identifier, const std::optional<Probe>& probe,
                                 Visit visit) {
  const Table& table = tables_[identifier];
  if (!probe) {
    for (Record* record = table.first(); record != nullptr; record = table.next(*record)) {
      if (!visit(*record)) return false;
    }
    return true;
  }
  const std::size_t index = table.index_of(probe->indexed);
  const Value wanted =
      value_of(probe->equal_to, [this](const FieldReference& field) { return value(field); });
  for (Record* record = table.first_with(index, wanted); record != nullptr;
       record = table.next_with(index, *record)) {
    if (!visit(*record)) return false;
  }
  return true;
}

bool StrategyRun::bind(const JoinStep& step, Record& candidate) {
  bound_[step.identifier] = &candidate;
  return in_order(step.edges) && satisfied(step.predicates);
}

// False: no more tuples are wanted.
bool StrategyRun::join(std::size_t step) {
  if (step == strategy_.joins.size()) {
    for (const JoinStep& absence : strategy_.absences) {
      if (!is_absent(absence)) return true;
    }
    return tuples_(bound_);
  }
  const JoinStep& now = strategy_.joins[step];
  return each_candidate(now.identifier, now.probe, [this, step, &now](Record& candidate) {
    return !bind(now, candidate) || join(step + 1);
  });
}

bool StrategyRun::is_absent(const JoinStep& step) {
  return each_candidate(step.identifier, step.probe,
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

// Whether they hold, or are about values that are not known yet.
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
  return std::any_of(
      refutation.saved_by.begin(), refutation.saved_by.end(),
      [this](const Refutation::Saving& saving) {
        const std::uint32_t other = saving.at.identifier;
        return !each_candidate(other, saving.probe, [this, &saving, other](Record& candidate) {
          bound_[other] = &candidate;
          return candidate.at(saving.at) == kNotYet || !may_be_satisfied(saving.predicates);
        });
      });
}

bool StrategyRun::refute(const Record& negative, const Refutation& refutation) {
  std::vector<Record*> refuted;
  bound_[refutation.negative] = &negative;
  each_candidate(refutation.identifier, refutation.probe, [&](Record& candidate) {
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
  for (const Check* check : checks_needing_[identifier]) {
    if (check->supported_index) {
      // Those with other keys went with the last record of theirs.
      const Value key = layout_.value(record, check->rule->probe->indexed);
      if (key.present() && table.first_with(*check->needed_index, key) == nullptr) {
        unsupported_.push_back({check, key});
      }
    } else if (table.size() == 0) {
      unsupported_.push_back({check, {}});
    }
  }
  removed_(record);
}

// Only what was checked already: a later record may support those whose event is to come.
void StrategyRun::drop_unsupported() {
  while (!unsupported_.empty()) {
    const Unsupported gone = std::move(unsupported_.back());
    unsupported_.pop_back();
    const EvidenceCheck& rule = *gone.check->rule;
    const Table& table = tables_[rule.at.identifier];
    if (rule.at.end && table.ended() == 0) continue;  // those that run can be many
    const bool all = !gone.key.present();
    std::vector<Record*> dropped;
    Record* record = all ? table.first() : table.first_with(*gone.check->supported_index, gone.key);
    while (record != nullptr) {
      if (record->at(rule.at) != kNotYet) dropped.push_back(record);
      record = all ? table.next(*record) : table.next_with(*gone.check->supported_index, *record);
    }
    for (Record* unsupported : dropped) remove(*unsupported, rule.at.identifier);
  }
}

}  // namespace copse::ptql
