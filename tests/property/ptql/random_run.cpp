#include "random_run.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <utility>

#include "ptql/plan/removal_rules.h"

namespace copse::ptql::testing {
namespace {

struct Frame {
  std::uint64_t invocation;
  std::size_t method;
  Value receiver;
  std::string frame;
};

struct RandomThread {
  Value number;
  Value name;
  std::vector<Frame> frames;
};

class RunMaker {
 public:
  explicit RunMaker(Random& random) : random_(random) {
    run_.methods = {{"a", "p.A", "p.A", 1, false, false}, {"b", "p.A", "p.A", 2, false, true},
                    {"a", "p.A", "p.B", 1, false, false}, {"<init>", "p.B", "p.B", 1, false, true},
                    {"s", "p.C", "p.C", 0, true, false},  {"t", "p.C", "p.C", 1, true, true}};
    run_.classes = {"p.B", "p.S"};
    for (std::uint64_t i = 1; i <= 2 + random.below(2); ++i) {
      threads_.push_back({Value::object(i), Value::string("w-" + std::to_string(i % 2)), {}});
    }
    for (int i = 0; i < 2; ++i) allocate(threads_.front());
  }

  RandomRun make(std::size_t steps) {
    while (steps-- > 0) {
      RandomThread& thread = threads_[random_.below(threads_.size())];
      if (random_.once_in(7)) {
        if (random_.once_in(2)) {
          kill();
        } else {
          allocate(thread);
        }
      } else if (!thread.frames.empty() && (random_.below(100) < 46 || thread.frames.size() > 5)) {
        leave(thread);
      } else {
        enter(thread);
      }
    }
    // Some runs end in the middle of things.
    for (RandomThread& thread : threads_) {
      while (!thread.frames.empty() && !random_.once_in(8)) leave(thread);
    }
    run_.end = time_ + 1;
    run_.real_end_ms = real_ + 1;
    return std::move(run_);
  }

 private:
  Happening& happen(Happening::Kind kind, std::uint64_t number) {
    time_ += 1 + random_.below(2);
    real_ += static_cast<std::int64_t>(random_.below(3));
    run_.happenings.push_back({kind, time_, real_, number});
    return run_.happenings.back();
  }

  std::string path(const RandomThread& thread) const {
    std::string path;
    for (const Frame& frame : thread.frames) path += (path.empty() ? "" : ";") + frame.frame;
    return path;
  }

  std::uint64_t allocate(const RandomThread& thread) {
    const std::uint64_t object = next_object_++;
    Happening& event = happen(Happening::Kind::kAllocated, object);
    event.what = random_.below(run_.classes.size());
    event.thread = thread.number;
    event.thread_name = thread.name;
    event.context = Value::string(path(thread));
    alive_.push_back(object);
    return object;
  }

  // Not what a running method was called on.
  void kill() {
    std::vector<std::uint64_t> idle;
    for (const std::uint64_t object : alive_) {
      bool used = false;
      for (const RandomThread& thread : threads_) {
        for (const Frame& frame : thread.frames) {
          used = used || (frame.receiver.present() && frame.receiver.as_object() == object);
        }
      }
      if (!used) idle.push_back(object);
    }
    if (idle.empty()) return;
    const std::uint64_t object = random_.of(idle);
    std::erase(alive_, object);
    happen(Happening::Kind::kDied, object);
  }

  // Every third object is a box, wherever its value can be known: not where it is allocated, or constructed,
  // and not as an exception.
  static Value with_value(std::uint64_t object) {
    if (object % 3 != 0) return Value::object(object);
    switch (object % 5) {
      case 0:
        return Value::box(object, Value::real(1.5));
      case 1:
        return Value::box(object, Value::boolean(true));
      case 2:
        return Value::box(object, Value::real(std::nan("")));
      default:
        return Value::box(object, Value::integer(static_cast<std::int64_t>(object % 2)));
    }
  }

  Value some_object() {
    return alive_.empty() || random_.once_in(8) ? Value::null() : with_value(random_.of(alive_));
  }

  Value some_value() {
    switch (random_.below(11)) {
      case 9:
      case 10:
        return with_value(2001 + 3 * random_.below(6));  // two of them with one value
      case 0:
      case 8: {
        const std::uint64_t string = random_.below(3);  // two of them with the same text
        return Value::text_object(1000 + string, string == 1 ? "x" : "a");
      }
      case 1:
        return Value::real(random_.once_in(2) ? 1.0 : 1.5);
      case 2:
        return Value::boolean(random_.once_in(2));
      case 3:
      case 4:
        return Value::integer(static_cast<std::int64_t>(random_.below(4)) - 1);
      default:
        return some_object();
    }
  }

  void enter(RandomThread& thread) {
    const std::size_t method = random_.below(run_.methods.size());
    const MethodFacts& facts = run_.methods[method];
    const bool constructor = facts.name == "<init>";
    Value receiver;
    if (!facts.is_static && (!constructor || random_.once_in(2))) {
      const bool fresh = constructor || alive_.empty() || random_.once_in(6);
      const std::uint64_t object = fresh ? allocate(thread) : random_.of(alive_);
      receiver = constructor ? Value::object(object) : with_value(object);
    }
    Happening& event = happen(Happening::Kind::kEntered, next_invocation_++);
    event.what = method;
    // A constructor has it, but does not know it yet.
    if (!constructor) event.receiver = receiver;
    event.thread = thread.number;
    event.thread_name = thread.name;
    for (std::uint32_t i = 0; i < facts.parameters; ++i) event.parameters.push_back(some_value());
    if (!facts.is_void && !random_.once_in(4)) {
      event.result_ignored = Value::boolean(random_.once_in(2));
    }
    if (!thread.frames.empty()) event.caller = Value::string(thread.frames.back().frame);
    thread.frames.push_back(
        {event.number, method, receiver, facts.implementing_class + "." + facts.name});
    event.context = Value::string(path(thread));
  }

  void leave(RandomThread& thread) {
    const Frame frame = thread.frames.back();
    const MethodFacts& facts = run_.methods[frame.method];
    const bool throws = random_.once_in(6);
    Value receiver;
    if (facts.name == "<init>" && !(throws && random_.once_in(2))) {
      receiver = frame.receiver.present() ? frame.receiver : Value::object(allocate(thread));
    }
    const Value thrown = throws && !alive_.empty() ? Value::object(random_.of(alive_)) : Value();
    thread.frames.pop_back();
    Happening& event = happen(Happening::Kind::kLeft, frame.invocation);
    event.what = frame.method;
    event.thread = thread.number;
    event.receiver = receiver;
    if (thrown.present()) {
      event.thrown = thrown;
      event.thrown_type = Value::string(random_.once_in(2) ? "p.E" : "p.F");
    } else if (!facts.is_void) {
      event.result = some_value();
    }
  }

  Random& random_;
  RandomRun run_{};
  std::vector<RandomThread> threads_;
  std::vector<std::uint64_t> alive_;
  std::uint64_t next_object_ = 10;
  std::uint64_t next_invocation_ = 1;
  std::uint64_t time_ = 0;
  std::int64_t real_ = 100;
};

}  // namespace

ObjectMethods methods_of(const std::string& class_name) {
  if (class_name != "p.B") return {};
  return {"p.B", "java.lang.Object", "p.A"};
}

RandomRun random_run(Random& random) { return RunMaker(random).make(20 + random.below(50)); }

namespace {

// `target`: an Engine, or several.
template <typename Target>
void feed(const RandomRun& run, Target& target) {
  std::vector<MethodNumber> methods;
  std::vector<ClassNumber> classes;
  for (const MethodFacts& facts : run.methods) methods.push_back(target.add_method(facts));
  for (const std::string& name : run.classes)
    classes.push_back(target.add_class(name, methods_of(name)));
  for (const Happening& event : run.happenings) {
    switch (event.kind) {
      case Happening::Kind::kEntered:
        target.method_entered({event.time, event.real_time_ms, event.number, methods[event.what],
                               event.receiver, event.thread, event.thread_name, event.context,
                               event.parameters, event.caller, event.result_ignored});
        break;
      case Happening::Kind::kLeft:
        target.method_left({event.time, event.real_time_ms, event.number, event.result,
                            event.thrown, event.thrown_type, event.receiver, event.thread});
        break;
      case Happening::Kind::kAllocated:
        target.object_allocated({event.time, event.real_time_ms, event.number, classes[event.what],
                                 event.thread, event.thread_name, event.context});
        break;
      case Happening::Kind::kDied:
        target.object_died(event.number, event.time, event.real_time_ms);
        break;
    }
  }
  target.finish(run.end, run.real_end_ms);
}

}  // namespace

std::vector<Answer> engine_answers(const Plan& plan, const RandomRun& run,
                                   const EngineOptions& options, EngineTotals& totals) {
  std::vector<Answer> answers;
  Engine engine(plan, options, [&answers](const Answer& answer) { answers.push_back(answer); });
  feed(run, engine);
  totals = engine.totals();
  return answers;
}

RandomRun without_early(const Plan& plan, const RandomRun& run, std::size_t& left_out) {
  const std::vector<IdentifierSet> needs = started_before(plan);
  IdentifierSet started = 0;
  std::unordered_set<std::uint64_t> early;
  RandomRun rest = run;
  rest.happenings.clear();
  for (const Happening& event : run.happenings) {
    if (event.kind == Happening::Kind::kEntered) {
      const IdentifierSet all = plan.filter.methods(run.methods[event.what]);
      IdentifierSet open = 0;
      for (std::size_t i = 0; i < needs.size(); ++i) {
        if ((all & set_of(i)) != 0 && (needs[i] & ~started) == 0) open |= set_of(i);
      }
      if (open == 0) early.insert(event.number);
      if (open == 0 && all != 0) ++left_out;
      started |= open;
    }
    const bool is_call =
        event.kind == Happening::Kind::kEntered || event.kind == Happening::Kind::kLeft;
    if (!is_call || !early.contains(event.number)) rest.happenings.push_back(event);
  }
  return rest;
}

std::vector<std::vector<Answer>> engines_answers(const std::vector<Plan>& plans,
                                                 const RandomRun& run,
                                                 std::vector<EngineTotals>& totals) {
  std::vector<std::vector<Answer>> answers(plans.size());
  Engines engines(plans, {}, [&answers](std::size_t query, const Answer& answer) {
    answers[query].push_back(answer);
  });
  feed(run, engines);
  for (std::size_t i = 0; i < plans.size(); ++i) totals.push_back(engines.totals(i));
  return answers;
}

}  // namespace copse::ptql::testing
