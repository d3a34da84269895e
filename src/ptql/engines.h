// Several queries of one program at once: an engine for each, all fed with the same events.
//
// Whoever has events (a text, a trace, a running JVM) feeds an Engines as it would feed an Engine:
// the calls and their contract are those of engine.h. Events go to the engines alone whose
// queries they can make a difference to.
//
// Threads: one call at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "ptql/engine.h"

namespace copse::ptql {

class Engines {
 public:
  // `query`: which of the plans.
  using Sink = std::function<void(std::size_t query, const Answer& answer)>;

  // `plans` outlives it. The memory of `options` is that of all together: when it is full, the query
  // that takes most loses its oldest records.
  Engines(const std::vector<Plan>& plans, const EngineOptions& options, const Sink& sink);
  Engines(const Engines&) = delete;
  Engines& operator=(const Engines&) = delete;

  MethodNumber add_method(const MethodFacts& facts);
  ClassNumber add_class(const std::string& name);
  // Whether a query has an identifier for its records; of others nothing needs to be told.
  bool wants(MethodNumber method) const { return !methods_[raw(method)].empty(); }
  bool wants(ClassNumber type) const { return !classes_[raw(type)].empty(); }

  // Whether a query keeps the record, so that its end makes a difference.
  bool method_entered(const MethodEntry& entry);
  void method_left(const MethodExit& exit);
  bool object_allocated(const Allocation& allocation);
  void object_died(std::uint64_t object, std::uint64_t time, std::int64_t real_time_ms);
  void finish(std::uint64_t time, std::int64_t real_time_ms);

  bool done() const;  // all queries are
  EngineTotals totals(std::size_t query) const { return engines_[query]->totals(); }

 private:
  using Indexes = std::vector<std::uint32_t>;  // of engines_

  void account(std::uint32_t engine);
  void make_room();

  std::vector<std::unique_ptr<Engine>> engines_;
  const std::size_t memory_bytes_;
  std::vector<std::size_t> bytes_;  // by engine, and their sum
  std::size_t all_bytes_ = 0;
  std::vector<Indexes> methods_;  // by number: those it matters to
  std::vector<Indexes> classes_;
  std::unordered_map<std::uint64_t, Indexes> invocations_;  // that run: those that keep the record
  Indexes of_objects_;                                      // whose queries have objects
};

}  // namespace copse::ptql
