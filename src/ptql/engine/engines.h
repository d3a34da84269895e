// Several queries of one program at once: an engine for each, all fed with the same events.
//
// Whoever has events (a text, a trace, a running JVM) feeds an Engines as it would feed an Engine:
// the calls and their contract are those of engine.h. Events go to the engines alone whose
// queries they can make a difference to. Of an object whose allocation a query asks nothing of
// (IdentifierPlan::lazy), its engine is told when one of its own events first has it: other queries
// have events with objects, too, and most of these it never meets.
//
// Memory: what the engines keep, and some 100 bytes for each object that lives and that a query may
// want; --memory bounds the first alone.
// Threads: one call at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/hash_map.h"
#include "base/ids.h"
#include "ptql/engine/engine.h"
#include "ptql/engine/object_fields.h"

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
  ClassNumber add_class(const std::string& name, const ObjectMethods& methods = {});
  // Whether a query has an identifier for its records; of others nothing needs to be told.
  bool wants(MethodNumber method) const { return !methods_[raw(method)].empty(); }
  bool wants(ClassNumber type) const { return classes_[raw(type)].is_wanted; }

  // Whether a query keeps the record, so that its end makes a difference.
  bool method_entered(const MethodEntry& entry);
  void method_left(const MethodExit& exit);
  // Once for each object; what is told of it again makes no difference while it lives.
  void object_allocated(const Allocation& allocation);
  void object_died(std::uint64_t object, std::uint64_t time, std::int64_t real_time_ms);
  void finish(std::uint64_t time, std::int64_t real_time_ms);

  bool done() const;  // all queries are
  bool done(std::size_t query) const { return engines_[query]->done(); }
  EngineTotals totals(std::size_t query) const { return engines_[query]->totals(); }
  // Returns, for identifiers that no method fits, the reason why one nearly does not. Empty when there are many queries.
  std::vector<std::string> near_misses(std::size_t query) const;
  std::vector<std::string> literals_beside_other_types(std::size_t query) const {
    return engines_[query]->literals_beside_other_types();
  }

 private:
  using Indexes = std::vector<std::uint32_t>;  // of engines_

  struct Missing {
    IdentifierSet found = 0;
    std::vector<std::string> near_misses;  // by identifier
  };

  struct WantedClass {
    bool is_wanted = false;
    Indexes at_once;          // engines that are told at the allocation
    std::vector<bool> later;  // by engine: when an event of its own has the object
  };
  struct LivingObject {
    ClassNumber type;
    std::uint64_t time;
    std::int64_t real_time_ms;
    Indexes told;  // engines
  };

  template <typename IsAsked>
  void meet(const Value& value, const Indexes& engines, IsAsked is_asked);
  void tell(std::uint32_t engine, const Allocation& allocation);
  void account(std::uint32_t engine);
  void make_room();

  void look_for_missing(std::uint32_t engine, const MethodFacts& facts, IdentifierSet found);

  const std::vector<Plan>& plans_;
  std::vector<Missing> missing_;  // by engine; empty where there are many
  std::vector<std::unique_ptr<Engine>> engines_;
  const std::size_t memory_bytes_;
  std::vector<std::size_t> bytes_;  // by engine, and their sum
  std::size_t all_bytes_ = 0;
  std::vector<Indexes> methods_;  // by number: those it matters to
  std::vector<WantedClass> classes_;
  HashMap<Indexes> invocations_;      // that run: those that keep the record
  HashMap<LivingObject> objects_;     // of classes that are wanted
  std::vector<IdentifierSet> lazy_;   // by engine
  std::vector<ObjectFields> fields_;  // by engine: where lazy ones' objects are
  ObjectFields all_fields_;
};

}  // namespace copse::ptql
