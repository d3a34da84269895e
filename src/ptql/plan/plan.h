// How a query is answered while its program runs, decided before it does.
//
// A query has one strategy, or several, whose answers are disjoint and together those of the query.
// Each keeps a table of records for every identifier; at the event of its post-dominator, all that an
// answer with this event needs has happened, and the answers are read off the tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "ptql/plan/static_filter.h"
#include "ptql/plan/timing_facts.h"
#include "ptql/plan/timing_graph.h"

namespace copse::ptql {

// An equality that tells which records of a table can be: those whose field has the value of an operand.
struct Probe {
  FieldReference indexed;
  Operand equal_to;  // of identifiers that are bound already
  Boxes boxes;       // in the index, and in what it is asked for
};

// A way into a table: all probes are one index, which knows the records by all these fields together.
// A key that many records have may be one of few together with another: a map's with the map.
struct Lookup {
  std::vector<Probe> probes;  // none: no index, all records of the table
  std::size_t index = 0;      // in Strategy::indexes, of its table
  // Tables and indexes have the latest record first. When one comes too early for such an edge, to the
  // event by which they are in order, so do all behind it.
  std::vector<TimingEdge> back_to{};
};
struct IndexedField {
  FieldReference field;
  Boxes boxes;
  friend bool operator==(const IndexedField&, const IndexedField&) = default;
};
// The fields of an index, in the order of its lookups' probes.
using IndexFields = std::vector<IndexedField>;

// One level of the nested loops: each record of a table, or those that the index has. Of a NEGATIVE
// identifier: that there is none.
struct JoinStep {
  std::uint32_t identifier;
  Lookup lookup;
  std::vector<std::size_t> predicates;  // all of whose identifiers are bound here first
  std::vector<TimingEdge> edges;        // likewise
};

// At the event `at`: a record without another one that supports it can be in no answer any more.
// At a START that refuses admission to its table, at an END retention.
struct EvidenceCheck {
  Node at;
  Node needs;   // an earlier event
  Order order;  // in which they must be
  bool never;   // `needs` is the post-dominator: all its answers are out, nothing supports
  std::vector<std::size_t> predicates;  // of the two, that can be decided then
  Lookup lookup;                        // into the table of `needs`
  // When each probe compares two fields: those of `at`, in the same order, and the index of its table
  // by them. A record of `needs` can support those with its values alone.
  IndexFields supported;
  std::size_t supported_index = 0;
  // NEGATIVE identifiers of which all that matters for the two has happened by then: one that
  // matches them takes the support away.
  std::vector<JoinStep> absences;
};

// At the END of a NEGATIVE record: records of `identifier` that it matches, and goes on to match
// whatever comes, can be in no answer any more. Those stay that an earlier event may have saved.
struct Refutation {
  struct Saving {
    Node at;                              // an event that the NEGATIVE record had to come before
    std::vector<TimingEdge> edges;        // to it, from what `identifier` has to come before it
    std::vector<std::size_t> predicates;  // of its record and that of `identifier`
    Lookup lookup;                        // into the table of `at`; of fields known at START
  };
  std::uint32_t negative;
  std::uint32_t identifier;
  std::vector<std::size_t> predicates;  // of the two
  std::vector<TimingEdge> edges;        // likewise
  Lookup lookup;                        // into the table of `identifier`
  std::vector<Saving> saved_by;
  // It matches records alone that end before: when it has ruled out all, it is of no use any more.
  bool once = false;
};

struct NegativeOrder {
  std::uint32_t identifier;
  TimingGraph full;
  TimingGraph unclosed;  // besides that of the others
};

struct Strategy {
  std::optional<Node> last;  // of a split: the sink that is the last one in its answers
  TimingGraph full;          // of the identifiers that are not NEGATIVE
  TimingGraph unclosed;
  std::vector<NegativeOrder> negatives;  // without those that no record can match
  std::optional<Node> post_dominator;    // nothing: the end of the run
  // The tables of the others, in orders of which each is complete: the best by what the query says, and
  // those that begin with another table whose index the event's record has values for. Which has the
  // fewest records to begin with is known when the event comes.
  std::vector<std::vector<JoinStep>> joins;
  std::vector<EvidenceCheck> checks;
  std::vector<Refutation> refutations;
  // A record is left out at such an event when another one has all its values, started before and had
  // this event before: whatever it can be an answer with, the other one can.
  std::vector<Node> repetitions;
  std::vector<std::vector<IndexFields>> indexes;  // of each identifier's table
};

// Objects live while they are used, so edges of this kind hold in every run and need no test.
bool is_lifetime(const std::vector<FactEdge>& facts, const TimingEdge& edge);

struct IdentifierPlan {
  bool may_be_constructor = false;
  // Of an object: nothing is asked of its allocation, so its record may be made when a method first
  // has it.
  bool lazy = false;
  std::vector<std::size_t> start_filter;  // predicates on its records alone, decided at START
  std::vector<std::size_t> end_filter;
  std::vector<FieldReference> kept;  // fields whose values its records keep; times are always there
};

struct Plan {
  Query query;
  StaticFilter filter;
  std::vector<IdentifierPlan> identifiers;
  std::vector<FactEdge> facts;
  std::vector<IdentifierSet> same_thread;
  // Not empty: the query has no answer, because these predicates contradict each other; no smaller
  // choice of them does.
  std::vector<std::size_t> contradiction;
  std::vector<Strategy> strategies;  // none after a contradiction

  // Known when the record's START happens, or only at its END.
  bool known_at_end(const FieldReference& field) const;
  IdentifierSet lazy_identifiers() const;
};

// Cost: a second at most, for sixteen identifiers in every order.
Plan make_plan(Query query);

}  // namespace copse::ptql
