// Plan for answering a query while its program runs, made before the run.
//
// A query has one or more strategies. Their answers are disjoint and together are those of the query. Each strategy
// keeps a table of records for every identifier. At the event of its post-dominator all events that the answer needs
// have happened, and the answers are read off the tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "ptql/plan/parts.h"
#include "ptql/plan/static_filter.h"
#include "ptql/plan/timing_facts.h"
#include "ptql/plan/timing_graph.h"

namespace copse::ptql {

// An equality that selects records of a table: those whose field equals an operand.
struct Probe {
  FieldReference indexed;
  Operand equal_to;  // names bound identifiers only
  Boxes boxes;       // kind of the index's keys and of the looked-up key
};

// A way into a table. All probes use one index over all their fields together: a key that many records have may become
// selective with another one, such as a map's key with the map.
struct Lookup {
  std::vector<Probe> probes;  // empty: no index, all records of the table
  std::size_t index = 0;      // index into Strategy::indexes of the table
  // Tables and indexes have the latest record first. When a record is too early for one of these edges, at the event
  // that orders the list, so are all later records of the list.
  std::vector<TimingEdge> back_to{};
};
struct IndexedField {
  FieldReference field;
  Boxes boxes;
  friend bool operator==(const IndexedField&, const IndexedField&) = default;
};
// Fields of an index, in the order of its lookups' probes.
using IndexFields = std::vector<IndexedField>;

// One level of the nested loops: each record of a table, or of an index. For a NEGATIVE identifier: a test that there
// is no such record.
struct JoinStep {
  std::uint32_t identifier;
  Lookup lookup;
  std::vector<std::size_t> predicates;  // predicates whose identifiers are first all bound here
  std::vector<TimingEdge> edges;        // edges whose identifiers are first all bound here
};

// Check at the event `at`: a record without a supporting record can be in no more answers. At a START the check refuses
// admission to the table, at an END retention.
struct EvidenceCheck {
  Node at;
  Node needs;   // an earlier event
  Order order;  // required order of the two events
  bool never;   // `needs` is the post-dominator: all its answers are given, so nothing supports
  std::vector<std::size_t> predicates;  // about the two identifiers, decidable at `at`
  Lookup lookup;                        // into the table of `needs`
  // If each probe compares two fields: the fields of `at`, in the same order; they are an index of its table. A record
  // of `needs` then supports only the records with its values.
  IndexFields supported;
  std::size_t supported_index = 0;
  // NEGATIVE identifiers that are fully decided for the pair by then. A record that matches takes the support away.
  std::vector<JoinStep> absences;
};

// Rule at the END of a NEGATIVE record: records of `identifier` that it matches, whatever comes, can be in no more
// answers. Records that an earlier event may have saved stay.
struct Refutation {
  struct Saving {
    Node at;  // event that the NEGATIVE record had to precede
    // edges to `at` from events of `identifier` that must precede it
    std::vector<TimingEdge> edges;
    std::vector<std::size_t> predicates;  // about the records of `at` and `identifier`
    Lookup lookup;                        // into the table of `at`; uses fields known at START
  };
  std::uint32_t negative;
  std::uint32_t identifier;
  std::vector<std::size_t> predicates;  // about the NEGATIVE identifier and `identifier`
  std::vector<TimingEdge> edges;        // between the NEGATIVE identifier and `identifier`
  Lookup lookup;                        // into the table of `identifier`
  std::vector<Saving> saved_by;
  // It matches only records that end before it: once it has removed all of them, it is of no further use.
  bool once = false;
};

struct NegativeOrder {
  std::uint32_t identifier;
  TimingGraph full;
  TimingGraph unclosed;  // in addition to the graph of the other identifiers
};

struct Strategy {
  std::optional<Node> last;  // for a split: the sink that comes last in its answers
  TimingGraph full;          // over the identifiers that are not NEGATIVE
  TimingGraph unclosed;
  std::vector<NegativeOrder> negatives;  // without the ones that no record can match
  std::optional<Node> post_dominator;    // std::nullopt: the end of the run
  // Alternative orders of the other tables; each is complete. The first is the best by the query alone; the others
  // begin with another table that the event's record has index values for. The order with the fewest records to begin
  // with is chosen when the event comes.
  std::vector<std::vector<JoinStep>> joins;
  std::vector<EvidenceCheck> checks;
  std::vector<Refutation> refutations;
  // Events at which a record is left out if another record has the same values, started before, and had this event
  // before: the other record can replace it in every answer.
  std::vector<Node> repetitions;
  std::vector<std::vector<IndexFields>> indexes;  // by identifier: indexes of its table
};

// Returns true for an edge that holds because objects live while they are used. It holds in every run and needs no
// test.
bool is_lifetime(const std::vector<FactEdge>& facts, const TimingEdge& edge);

struct IdentifierPlan {
  bool may_be_constructor = false;
  // For an object: the query asks nothing about its allocation, so its record may be made when a method first refers to
  // it.
  bool lazy = false;
  std::vector<std::size_t> start_filter;  // predicates on its records alone, decidable at START
  std::vector<std::size_t> end_filter;
  // Predicates on its records alone that no filter tests, because the plan is without one: tested in joins.
  std::vector<std::size_t> unfiltered;
  std::vector<FieldReference> kept;  // fields whose values its records keep; times are always kept
};

struct Plan {
  Query query;
  PartSet without;
  StaticFilter filter;
  std::vector<IdentifierPlan> identifiers;
  std::vector<FactEdge> facts;
  std::vector<IdentifierSet> same_thread;
  // Minimal set of predicates that contradict each other; the query then has no answer. Empty if there is none.
  std::vector<std::size_t> contradiction;
  std::vector<Strategy> strategies;  // empty after a contradiction

  bool has(Part part) const { return (without & set_of(part)) == 0; }
  // Returns true if the field is known only at the record's END, false if at its START.
  bool known_at_end(const FieldReference& field) const;
  IdentifierSet lazy_identifiers() const;
};

// Cost: at most one second, for sixteen identifiers in every order.
Plan make_plan(Query query, PartSet without = 0);

}  // namespace copse::ptql
