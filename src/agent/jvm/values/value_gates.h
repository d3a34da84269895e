// Gates for invocations that no query can use yet (ptql/plan/removal_rules.h); they are not recorded. A query for
// calls of getters after the finalizer of their object, for example, records no getter until a finalizer has
// run. Invocations for answered queries are not recorded either.
//
// Threads: one at a time (ValueEvents has the lock).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ptql/plan/plan.h"

namespace copse::jvm {

// An identifier of one of the queries.
struct AskedPlace {
  std::uint32_t query;
  std::uint32_t identifier;
};

class ValueGates {
 public:
  // `plans`: plans of the queries, by number.
  explicit ValueGates(const std::vector<const ptql::Plan*>& plans);

  bool is_open(const AskedPlace& place) const {
    const Gate& gate = gates_[place.query];
    return !gate.closed && (gate.needs[place.identifier] & ~gate.started) == 0;
  }
  // Notes that an invocation was recorded which can be the place's record.
  void started(const AskedPlace& place) {
    Gate& gate = gates_[place.query];
    const ptql::IdentifierSet with = gate.started | ptql::set_of(place.identifier);
    if (with != gate.started) ++changes_;
    gate.started = with;
  }
  // Closes a query, which is answered and wants nothing more.
  void close(std::size_t query) {
    if (!gates_[query].closed) ++changes_;
    gates_[query].closed = true;
  }
  bool is_closed(std::size_t query) const { return gates_[query].closed; }
  // Returns a number that changes whenever is_open() may have changed.
  std::size_t changes() const { return changes_; }

 private:
  struct Gate {
    std::vector<ptql::IdentifierSet> needs;  // by identifier
    ptql::IdentifierSet started = 0;
    bool closed = false;
  };

  std::vector<Gate> gates_;  // by query
  std::size_t changes_ = 1;
};

}  // namespace copse::jvm
