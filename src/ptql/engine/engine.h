// Answers a query from the events of a program, in order, as they happen.
//
// Calls of an event source, such as a program's watcher or the reader of a trace:
//
//   engine.add_method(facts)   before a method's first invocation; no identifiers: no probe needed
//   engine.method_entered()    at the entry, with receiver, arguments and thread
//   engine.method_left()       when it returns or throws, if its entry was kept
//   engine.add_class(name), object_allocated(), object_died() likewise
//   engine.finish()            at the end of the run
//
// Contract, on which exact answers rest:
// * Events come in the order in which they happened. Stamps are strictly increasing.
// * An object's number is unique in the run; 0 is null. Receivers, arguments, results, exceptions and threads share
//   these numbers.
// * An object is allocated before the first event that refers to it; a constructor's receiver before the constructor's
//   end. It dies after the last event that refers to it; a receiver also after the method's end. If Plan says that an
//   identifier is lazy, the allocation may be reported as late as the first event that refers to the object, with the
//   stamp of the allocation.
// * Invocations of a thread are nested. Each kept entry gets its end, by a return or an exception; finish() ends the
//   invocations that still run at the end of the program.
// Only the values in IdentifierPlan::kept are needed; others may be absent.
//
// Threads: one call at a time; a source with several threads holds a lock around stamp and call. The sink gives answers
// inside these calls and must not call back.
// Cost: one look-up for an event whose method matches no identifier. Other events cost the plan's filters, checks and
// joins; an index replaces a walk over a table where there is one.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ptql/engine/answers.h"
#include "ptql/plan/plan.h"

namespace copse::ptql {

// Numbers from add_method() and add_class(). Each kind is dense from 0.
enum class MethodNumber : std::uint32_t {};
enum class ClassNumber : std::uint32_t {};

struct MethodEntry {
  std::uint64_t time;         // the stamp
  std::int64_t real_time_ms;  // from a clock that never goes back
  std::uint64_t invocation;   // unique in the run
  MethodNumber method;
  Value receiver{};  // absent for static methods and constructors
  Value thread{};
  Value thread_name{};
  Value context{};
  std::span<const Value> parameters{};
  Value caller{};          // absent if unknown
  Value result_ignored{};  // the caller ignores the result; absent if unknown
};

struct MethodExit {
  std::uint64_t time;
  std::int64_t real_time_ms;
  std::uint64_t invocation;
  Value result{};       // absent for a void method and after an exception
  Value thrown{};       // exception that ended the method; absent if none
  Value thrown_type{};  // class of the exception
  Value receiver{};     // for a constructor: set once the superclass's constructor has returned
  Value thread{};       // this and the members below are for the answers that the exit completes
  Value thread_name{};
  Value context{};
};

struct Allocation {
  std::uint64_t time;
  std::int64_t real_time_ms;
  std::uint64_t object;
  ClassNumber type;
  Value thread{};
  Value thread_name{};
  Value context{};
  // True if the allocation time is unknown and an event is about to refer to the object. The record can then match lazy
  // identifiers only.
  bool is_late = false;
};

struct EngineOptions {
  // Limit for records and rows, as far as the engine counts them. The record of the current event, and as much again
  // for its rows, come on top.
  std::size_t memory_bytes = std::size_t{256} << 20;
  // Once true, the engine stops at once, even inside a join, and gives no more answers. nullptr if unused. REQUIRES: it
  // outlives the engine.
  const std::atomic<bool>* stop = nullptr;
};

// Counts of an engine's work, and of the reasons why answers may be incomplete.
struct EngineTotals {
  std::uint64_t events = 0;   // events whose method or class matches an identifier
  std::uint64_t answers = 0;  // given so far
  std::uint64_t records = 0;  // kept now
  std::size_t bytes = 0;      // memory of records and rows, now
  std::size_t most_bytes = 0;
  // Oldest records, dropped for lack of memory. Answers that need them are missing; with NEGATIVE identifiers, wrong
  // answers may be given.
  std::uint64_t dropped_records = 0;
  std::uint64_t forgotten_rows = 0;  // Answers::forgotten()
};

class Engine {
 public:
  // REQUIRES: `plan` outlives the engine. A plan with a contradiction gives no answer.
  Engine(const Plan& plan, const EngineOptions& options, AnswerSink sink);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  ~Engine();

  MethodNumber add_method(const MethodFacts& facts);
  ClassNumber add_class(const std::string& name, const ObjectMethods& methods = {});
  IdentifierSet identifiers_of(MethodNumber method) const;
  IdentifierSet identifiers_of(ClassNumber type) const;

  // Returns true if the record is kept, so that the end of the invocation must be reported.
  bool method_entered(const MethodEntry& entry);
  void method_left(const MethodExit& exit);
  bool object_allocated(const Allocation& allocation);
  void object_died(std::uint64_t object, std::uint64_t time, std::int64_t real_time_ms);

  // Ends the run at `time`, which is greater than all other stamps. Running methods end now, without result, in reverse
  // order of their starts; then living objects die, in the order of their starts. The stamps of the ends are TIME +
  // (TIME - startTime) for methods and 2 TIME + startTime for objects.
  void finish(std::uint64_t time, std::int64_t real_time_ms);

  // Returns true once LIMIT is reached: further events change nothing.
  bool done() const;
  std::size_t bytes() const;  // memory of records and rows, now
  // Drops the oldest records until at most `most_bytes` are used.
  void make_room(std::size_t most_bytes);
  EngineTotals totals() const;
  // Returns sentences about literals that were compared with no value of the right type (literal_use.h), and about values
  // that SUM, MIN, MAX and AVG left out.
  std::vector<std::string> values_of_other_types() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace copse::ptql
