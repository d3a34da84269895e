// Answers a query from the events of a program, in their order, as they happen.
//
// Whoever watches a program, or reads a trace of one, feeds it:
//
//   engine.add_method(facts)   before a method's first invocation; no identifiers: it needs no probe
//   engine.method_entered()    at the entry, with receiver, arguments and thread
//   engine.method_left()       when it returns or throws, if its entry was kept
//   engine.add_class(name), object_allocated(), object_died() likewise
//   engine.finish()            at the end of the run
//
// The contract, on which exact answers rest:
// * Events come in the order in which they happened, each with a stamp greater than the one before.
// * An object's number stands for it alone, for the whole run; 0 is null. The same numbers name
//   receivers, arguments, results, exceptions and threads.
// * An object is allocated before the first event that has it, of a constructor's receiver before
//   the constructor's end; it dies after every event that has it, of a receiver also after the
//   method's end. Where Plan says an identifier is lazy, it may be told of as late as that, with the stamp
//   of its allocation.
// * Invocations of a thread are nested; each entry that was kept gets its end, by a return or an
//   exception. Those that run at the end of the program get none: finish() ends them.
// Of values, only those in IdentifierPlan::kept have to be there; others may stay absent.
//
// Threads: one call at a time; whoever has several threads holds a lock around stamp and call.
// Answers are given from inside of calls, by the sink; it must not call back.
// Cost: an event whose method no identifier can be is a look-up; others cost what the plan's
// filters, checks and joins cost, without any walk over tables that an index saves.
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

// Of add_method() and add_class(), dense from 0, numbered apart.
enum class MethodNumber : std::uint32_t {};
enum class ClassNumber : std::uint32_t {};

struct MethodEntry {
  std::uint64_t time;         // the stamp
  std::int64_t real_time_ms;  // of a clock that never goes back
  std::uint64_t invocation;   // unique in the run
  MethodNumber method;
  Value receiver{};  // absent of a static method, and of a constructor
  Value thread{};
  Value thread_name{};
  Value context{};
  std::span<const Value> parameters{};
  Value caller{};          // absent where it is not known
  Value result_ignored{};  // whether the caller ignores the result; absent where that is not known
};

struct MethodExit {
  std::uint64_t time;
  std::int64_t real_time_ms;
  std::uint64_t invocation;
  Value result{};       // absent of a void method, and after an exception
  Value thrown{};       // the exception that ended it
  Value thrown_type{};  // its class
  Value receiver{};     // of a constructor, once its superclass's has returned
  Value thread{};       // this and what follows for the answers that it completes
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
  // It was allocated at a time that is not known, and an event is about to have it: a record of
  // identifiers that are lazy, and of no others.
  bool is_late = false;
};

struct EngineOptions {
  // Of records and rows, as far as it counts them; the record of the event that is handled comes on
  // top, and its rows may take as much again.
  std::size_t memory_bytes = std::size_t{256} << 20;
  // False: keeps what could go, to see what that costs.
  bool prune = true;
  // Once it is true an engine looks at nothing more, in the middle of a join if need be: it gives no
  // more answers, right ones or wrong. It outlives the engine.
  const std::atomic<bool>* stop = nullptr;
};

// What an engine did, and how far its answers may not be all.
struct EngineTotals {
  std::uint64_t events = 0;   // of methods and objects that an identifier can be
  std::uint64_t answers = 0;  // given so far
  std::uint64_t records = 0;  // kept now
  std::size_t bytes = 0;      // of records and rows, now
  std::size_t most_bytes = 0;
  // The oldest, dropped for want of memory: answers that need them are missing and, of NEGATIVE
  // identifiers, answers may be there that should not.
  std::uint64_t dropped_records = 0;
  std::uint64_t forgotten_rows = 0;  // Answers::forgotten()
};

class Engine {
 public:
  // `plan` outlives it. A plan with a contradiction gives no answer.
  Engine(const Plan& plan, const EngineOptions& options, AnswerSink sink);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  ~Engine();

  MethodNumber add_method(const MethodFacts& facts);
  ClassNumber add_class(const std::string& name, const ObjectMethods& methods = {});
  IdentifierSet identifiers_of(MethodNumber method) const;
  IdentifierSet identifiers_of(ClassNumber type) const;

  // Whether the record is kept, so that its end makes a difference.
  bool method_entered(const MethodEntry& entry);
  void method_left(const MethodExit& exit);
  bool object_allocated(const Allocation& allocation);
  void object_died(std::uint64_t object, std::uint64_t time, std::int64_t real_time_ms);

  // The run ends at this stamp, which is greater than all others. Methods that still run end now, in
  // the opposite order of their starts, without result; then the objects that live, in the order of
  // theirs. Their ends are the stamps TIME + (TIME - startTime), and 2 TIME + startTime of objects.
  void finish(std::uint64_t time, std::int64_t real_time_ms);

  // LIMIT is reached: events make no difference any more.
  bool done() const;
  std::size_t bytes() const;  // of records and rows, now
  // Drops the oldest until at most so much is left.
  void make_room(std::size_t most_bytes);
  EngineTotals totals() const;
  // Sentences about comparisons with literals that no record had a value of the right type for (literal_use.h).
  std::vector<std::string> literals_beside_other_types() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace copse::ptql
