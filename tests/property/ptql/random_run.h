// Random runs of programs that do not exist: a few threads that call a few methods with a few objects, as Java
// would allow it.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "ptql/engine/engines.h"

namespace copse::ptql::testing {

class Random {
 public:
  explicit Random(std::uint64_t seed) : random_(seed) {}
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  bool once_in(std::uint64_t times) { return below(times) == 0; }
  template <typename T>
  const T& of(const std::vector<T>& values) {
    return values[below(values.size())];
  }

 private:
  std::mt19937_64 random_;
};

// One event of a run. The engine gets events as calls, the reference as whole records.
struct Happening {
  enum class Kind { kEntered, kLeft, kAllocated, kDied };
  Kind kind;
  std::uint64_t time;
  std::int64_t real_time_ms;
  std::uint64_t number;  // of the invocation or the object
  std::size_t what = 0;  // method or class
  Value receiver{};
  Value thread{};
  Value thread_name{};
  Value context{};
  std::vector<Value> parameters{};
  Value caller{};
  Value result_ignored{};
  Value result{};
  Value thrown{};
  Value thrown_type{};
};

struct RandomRun {
  std::vector<MethodFacts> methods;
  std::vector<std::string> classes;
  std::vector<Happening> happenings;
  std::uint64_t end;  // stamp
  std::int64_t real_end_ms;
};

RandomRun random_run(Random& random);
// Object methods of a class of any run. Those of p.S are unknown.
ObjectMethods methods_of(const std::string& class_name);

// Answers of the engine to a plan over the run. Writes its final totals into `totals`.
std::vector<Answer> engine_answers(const Plan& plan, const RandomRun& run,
                                   const EngineOptions& options, EngineTotals& totals);

// The run without the invocations that make no difference because they come too early (ptql/plan/removal_rules.h).
RandomRun without_early(const Plan& plan, const RandomRun& run, std::size_t& left_out);

// Answers of several engines at once, by query.
std::vector<std::vector<Answer>> engines_answers(const std::vector<Plan>& plans,
                                                 const RandomRun& run,
                                                 std::vector<EngineTotals>& totals);

}  // namespace copse::ptql::testing
