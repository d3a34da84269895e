// Answers several queries about one program: one engine each, fed with the same events.
//
// An event source (a text, a trace, a running JVM) feeds an Engines like an Engine: calls and contract are those of
// engine.h. An event goes only to the engines whose queries it can affect. If a query asks nothing about an object's
// allocation (IdentifierPlan::lazy), its engine learns of the object from the first of its own events that refers to
// the object. Most objects of other queries' events never reach it.
//
// Memory: the engines' memory, which --memory bounds, and some 100 bytes for each living object that a query may need.
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
  // `query`: index of the plan.
  using Sink = std::function<void(std::size_t query, const Answer& answer)>;

  // REQUIRES: `plans` outlives this object. All engines share the memory limit in `options`: when it is reached, the
  // query that uses most loses its oldest records.
  Engines(const std::vector<Plan>& plans, const EngineOptions& options, const Sink& sink);
  Engines(const Engines&) = delete;
  Engines& operator=(const Engines&) = delete;

  MethodNumber add_method(const MethodFacts& facts);
  ClassNumber add_class(const std::string& name, const ObjectMethods& methods = {});
  // Returns true if an invocation can be a record of some query; other methods need not be reported.
  bool wants(MethodNumber method) const { return !methods_[raw(method)].empty(); }
  bool wants(ClassNumber type) const { return classes_[raw(type)].is_wanted; }

  // Returns true if a query keeps the record, so that the end of the invocation must be reported.
  bool method_entered(const MethodEntry& entry);
  void method_left(const MethodExit& exit);
  // Reports an object once. Repeated reports have no effect while the object lives.
  void object_allocated(const Allocation& allocation);
  void object_died(std::uint64_t object, std::uint64_t time, std::int64_t real_time_ms);
  void finish(std::uint64_t time, std::int64_t real_time_ms);

  bool done() const;  // all queries are done
  bool done(std::size_t query) const { return engines_[query]->done(); }
  EngineTotals totals(std::size_t query) const { return engines_[query]->totals(); }
  // Returns the reasons why methods nearly fit the identifiers that no method fits. Empty when there are many queries.
  std::vector<std::string> near_misses(std::size_t query) const;
  std::vector<std::string> values_of_other_types(std::size_t query) const {
    return engines_[query]->values_of_other_types();
  }

 private:
  using Indexes = std::vector<std::uint32_t>;  // into engines_

  struct Missing {
    IdentifierSet found = 0;
    std::vector<std::string> near_misses;  // by identifier
  };

  struct WantedClass {
    bool is_wanted = false;
    Indexes at_once;          // engines that learn of an object at its allocation
    std::vector<bool> later;  // by engine: true if it learns of an object from its own events
  };
  struct LivingObject {
    ClassNumber type;
    std::uint64_t time;
    std::int64_t real_time_ms;
    Indexes told;  // engines that know the object
  };

  template <typename IsAsked>
  void meet(const Value& value, const Indexes& engines, IsAsked is_asked);
  void tell(std::uint32_t engine, const Allocation& allocation);
  void account(std::uint32_t engine);
  void make_room();

  void look_for_missing(std::uint32_t engine, const MethodFacts& facts, IdentifierSet found);

  const std::vector<Plan>& plans_;
  std::vector<Missing> missing_;  // by engine; empty if there are many
  std::vector<std::unique_ptr<Engine>> engines_;
  const std::size_t memory_bytes_;
  std::vector<std::size_t> bytes_;  // by engine
  std::size_t all_bytes_ = 0;
  std::vector<Indexes> methods_;  // by method number: engines that the method can affect
  std::vector<WantedClass> classes_;
  HashMap<Indexes> invocations_;     // running invocations: engines that keep the record
  HashMap<LivingObject> objects_;    // objects of wanted classes
  std::vector<IdentifierSet> lazy_;  // by engine
  // by engine: fields in which objects of lazy identifiers occur
  std::vector<ObjectFields> fields_;
  ObjectFields all_fields_;
};

}  // namespace copse::ptql
