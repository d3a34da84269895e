// Runs one strategy of a plan as events come: its tables, and the tuples that complete at its post-dominator.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "ptql/engine/engine.h"
#include "ptql/engine/record.h"
#include "ptql/engine/record_store.h"
#include "ptql/engine/table.h"

namespace copse::ptql {

// Takes a tuple: the record of each identifier that is not NEGATIVE. Returns false when no more are wanted.
using TupleSink = std::function<bool(const std::vector<const Record*>& tuple)>;
// Takes a record that was removed from a table.
using RemovalSink = std::function<void(Record&)>;

class StrategyRun {
 public:
  // REQUIRES: `plan`, `strategy` and `layout` outlive this object.
  StrategyRun(const Plan& plan, const Strategy& strategy, const RecordLayout& layout,
              std::uint32_t first_list, const EngineOptions& options, TupleSink tuples,
              RemovalSink removed);
  StrategyRun(const StrategyRun&) = delete;
  StrategyRun& operator=(const StrategyRun&) = delete;

  std::uint32_t lists() const noexcept;  // number of lists of all its tables

  // Handles the record's START. `identifiers`: those whose filters accept the record.
  void start(Record& record, IdentifierSet identifiers);
  // Handles the record's END. `identifiers`: those whose filters accept the record.
  void end(Record& record, IdentifierSet identifiers);
  // Ends the run. REQUIRES: all records have ended.
  void finish();
  // Removes the record from all tables, and the records that depend on it alone.
  void drop(Record& record);

 private:
  // Records whose support for `check` is gone: all records, or those with the key.
  struct Unsupported {
    const EvidenceCheck* check;
    std::optional<IndexKey> key;
  };

  bool is_stopped() const { return stop_ != nullptr && stop_->load(std::memory_order_relaxed); }
  bool is_supported(const Record& record, Node at);
  bool supports(const Record& candidate, const EvidenceCheck& check, Stamp now);
  // Removes the records that an ended NEGATIVE record rules out. Returns true if the record may be needed again.
  bool refute(const Record& negative, const Refutation& refutation);
  bool is_saved(const Record& record, const Refutation& refutation);
  // Returns true if an earlier record has the same values.
  bool is_repeated(const Record& record, Node at) const;
  void remember(const Record& record, Node at);
  void evaluate(Record& record, std::uint32_t identifier);
  const std::vector<JoinStep>& shortest_order();
  bool join(const std::vector<JoinStep>& steps, std::size_t next);
  bool bind(const JoinStep& step, Record& candidate);
  bool is_absent(const JoinStep& step);
  std::optional<IndexKey> key_of(const Lookup& lookup) const;
  template <typename Visit>
  bool each_candidate(std::uint32_t identifier, const Lookup& lookup, Visit visit);
  bool is_too_early(const Record& record, const Lookup& lookup) const;

  void remove(Record& record, std::uint32_t identifier);
  void drop_unsupported();

  Value value(const FieldReference& field) const {
    return layout_.value(*bound_[field.identifier], field);
  }
  bool satisfied(const std::vector<std::size_t>& predicates) const;
  // Returns true if the record satisfies the predicates on it alone that no filter tested.
  bool passes(const Record& record, std::uint32_t identifier);
  bool in_order(const std::vector<TimingEdge>& edges) const;
  bool may_be_satisfied(const std::vector<std::size_t>& predicates) const;

  const Plan& plan_;
  const Strategy& strategy_;
  const RecordLayout& layout_;
  const TupleSink tuples_;
  const RemovalSink removed_;
  const std::atomic<bool>* const stop_;
  std::vector<Table> tables_;  // by identifier
  std::vector<std::optional<EarlierRecords>>
      earlier_;  // by identifier, where there is a repetition
  std::vector<std::vector<const EvidenceCheck*>> checks_needing_;  // by identifier
  std::vector<const Record*> bound_;                               // by identifier
  // first step of each order in Strategy::joins, if there are several
  std::vector<const JoinStep*> firsts_;
  std::vector<const Record*> walks_;  // scratch, parallel to firsts_
  std::vector<Unsupported> unsupported_;
};

}  // namespace copse::ptql
