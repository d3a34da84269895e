#include "random_program.h"

#include <map>
#include <set>

#include "support/test_scale.h"

namespace copse::encoders {
namespace {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  // The engine's own output is the same everywhere; the standard distributions are not.
  double chance() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  std::uint32_t below(std::size_t limit) { return static_cast<std::uint32_t>(engine_() % limit); }

 private:
  std::mt19937_64 engine_;
};

bool allowed(const ProgramShape& shape, std::uint32_t caller, std::uint32_t callee) {
  if (!shape.main_recursion && callee == 1) return false;
  if (!shape.self_edges && callee == caller) return false;
  return shape.cycles || callee > caller;
}

Sites random_sites(Dice& dice, const ProgramShape& shape) {
  const std::uint32_t methods = 2 + dice.below(shape.max_methods - 1);
  Sites sites(methods + 1);
  const auto pick = [&](std::uint32_t caller) -> std::uint32_t {
    if (dice.chance() < shape.recursion) return 1 + dice.below(methods);
    return caller < methods ? caller + 1 + dice.below(methods - caller) : 0;
  };
  const auto add_site = [&](std::uint32_t caller, const std::set<std::uint32_t>& targets) {
    std::vector<std::uint32_t> kept;
    for (const std::uint32_t target : targets) {
      if (target != 0 && allowed(shape, caller, target)) kept.push_back(target);
    }
    if (!kept.empty()) sites[caller].push_back(kept);
  };
  for (std::uint32_t method = 2; method <= methods; ++method) {
    add_site(1 + dice.below(method - 1), {method});
  }
  for (std::uint32_t caller = 1; caller <= methods; ++caller) {
    const auto count = static_cast<std::uint32_t>(dice.chance() * 2 * shape.fan_out);
    for (std::uint32_t i = 0; i < count; ++i) {
      std::set<std::uint32_t> targets = {pick(caller)};
      while (dice.chance() < shape.polymorphism) targets.insert(pick(caller));
      add_site(caller, targets);
    }
  }
  return sites;
}

Trace random_trace(Dice& dice, const Sites& sites, const ProgramShape& shape) {
  Trace trace;
  std::vector<std::vector<std::uint32_t>> stacks(shape.threads);
  const auto methods = static_cast<std::uint32_t>(sites.size() - 1);
  for (std::uint32_t t = 0; t < shape.threads; ++t) {
    const std::uint32_t entry = shape.several_entries && t > 0 ? 1 + dice.below(methods) : 1;
    stacks[t] = {entry};
    trace.push_back({TraceEvent::Kind::kStart, ThreadIndex{t}});
    trace.push_back({TraceEvent::Kind::kCall, ThreadIndex{t}, entry_edge(MethodId{entry})});
  }
  for (std::uint32_t i = 0; i < shape.events; ++i) {
    const ThreadIndex thread{dice.below(shape.threads)};
    auto& stack = stacks[raw(thread)];
    const double x = dice.chance();
    const auto& callable = sites[stack.back()];
    if (stack.size() < shape.max_depth && x < 0.55 && !callable.empty()) {
      const std::uint32_t site = dice.below(callable.size());
      const std::uint32_t callee = callable[site][dice.below(callable[site].size())];
      const CallSite at{MethodId{stack.back()}, SiteOrdinal{static_cast<std::uint16_t>(site + 1)}};
      trace.push_back({TraceEvent::Kind::kCall, thread, edge_key(at, MethodId{callee})});
      stack.push_back(callee);
    } else if (stack.size() > 2 && x > 1 - shape.unwinds) {
      const std::uint32_t frames = 1 + dice.below(stack.size() - 1);
      trace.push_back({TraceEvent::Kind::kUnwind, thread, kNoEdge, frames});
      stack.resize(stack.size() - frames);
    } else if (stack.size() > 1) {
      trace.push_back({TraceEvent::Kind::kReturn, thread});
      stack.pop_back();
    }
    if (dice.chance() < shape.tokens) trace.push_back({TraceEvent::Kind::kToken, thread});
  }
  return trace;
}

void note_failure(ReplayResult& result, const char* when, const CallPath& expected,
                  const Result<CallPath>& got) {
  ++(got.ok() ? result.wrong : result.undecodable);
  if (!got.ok() && got.fault() == Fault::kLimit) ++result.at_limit;
  if (!result.first_failure.empty()) return;
  result.first_failure = std::string(when) + ": expected [" + to_string(expected) + "], got " +
                         (got.ok() ? "[" + to_string(*got) + "]" : got.message());
}

}  // namespace

RandomProgram::RandomProgram(std::uint64_t seed, const ProgramShape& shape) {
  Dice dice(seed);
  sites = random_sites(dice, shape);
  trace = random_trace(dice, sites, shape);
  for (const TraceEvent& event : trace) {
    if (event.kind == TraceEvent::Kind::kCall && caller_of(event.edge) == kRootMethod) {
      graph.add(event.edge);
    }
  }
  for (std::uint32_t caller = 1; caller < sites.size(); ++caller) {
    for (std::size_t site = 0; site < sites[caller].size(); ++site) {
      const CallSite at{MethodId{caller}, SiteOrdinal{static_cast<std::uint16_t>(site + 1)}};
      for (const std::uint32_t callee : sites[caller][site]) {
        graph.add(edge_key(at, MethodId{callee}), 0);
      }
    }
  }
}

TraceBuilder& TraceBuilder::start(std::uint32_t thread, std::uint32_t entry) {
  thread_ = ThreadIndex{thread};
  trace_.push_back({TraceEvent::Kind::kStart, thread_});
  trace_.push_back({TraceEvent::Kind::kCall, thread_, entry_edge(MethodId{entry})});
  return *this;
}
TraceBuilder& TraceBuilder::call(std::uint32_t caller, std::uint32_t site, std::uint32_t callee) {
  const CallSite at{MethodId{caller}, SiteOrdinal{static_cast<std::uint16_t>(site)}};
  trace_.push_back({TraceEvent::Kind::kCall, thread_, edge_key(at, MethodId{callee})});
  return *this;
}
TraceBuilder& TraceBuilder::ret(std::uint32_t count) {
  for (; count > 0; --count) trace_.push_back({TraceEvent::Kind::kReturn, thread_});
  return *this;
}
TraceBuilder& TraceBuilder::unwind(std::uint32_t frames) {
  trace_.push_back({TraceEvent::Kind::kUnwind, thread_, kNoEdge, frames});
  return *this;
}
TraceBuilder& TraceBuilder::token() {
  trace_.push_back({TraceEvent::Kind::kToken, thread_});
  return *this;
}
TraceBuilder& TraceBuilder::on(std::uint32_t thread) {
  thread_ = ThreadIndex{thread};
  return *this;
}
graph::CallGraph TraceBuilder::graph() const {
  graph::CallGraph graph;
  for (const TraceEvent& event : trace_) {
    if (event.kind == TraceEvent::Kind::kCall) graph.add(event.edge);
  }
  return graph;
}

ReplayResult replay(Encoder& encoder, const Trace& trace, std::uint64_t collect_period) {
  struct Taken {
    Token token;
    CallPath expected;
    bool failed = false;
  };
  ReplayResult result;
  std::vector<Taken> taken;
  std::map<ThreadIndex, CallPath> stacks;
  std::uint64_t number = 0;
  for (const TraceEvent& event : trace) {
    ++number;
    CallPath& stack = stacks[event.thread];
    switch (event.kind) {
      case TraceEvent::Kind::kStart:
        stack.clear();
        encoder.start(event.thread);
        break;
      case TraceEvent::Kind::kCall:
        stack.push_back(event.edge);
        encoder.call(event.thread, site_of(event.edge), callee_of(event.edge));
        if (number % collect_period == 0) encoder.collect(event.thread);
        break;
      case TraceEvent::Kind::kReturn:
        stack.pop_back();
        encoder.ret(event.thread);
        break;
      case TraceEvent::Kind::kUnwind:
        stack.resize(stack.size() - event.frames);
        encoder.unwind(event.thread, event.frames);
        break;
      case TraceEvent::Kind::kEnd:
        encoder.end(event.thread);
        break;
      case TraceEvent::Kind::kToken: {
        Taken now;
        encoder.token(event.thread, now.token);
        now.expected = encoder.expected(stack);
        const Result<CallPath> decoded = encoder.decode(now.token);
        if (!decoded.ok() || *decoded != now.expected) {
          note_failure(result, "at once", now.expected, decoded);
          now.failed = true;
        }
        result.token_hex.push_back(now.token.hex());
        taken.push_back(std::move(now));
        break;
      }
    }
  }
  for (const Taken& then : taken) {
    const Result<CallPath> decoded = encoder.decode(then.token);
    if (!then.failed && (!decoded.ok() || *decoded != then.expected)) {
      note_failure(result, "at the end", then.expected, decoded);
    }
  }
  result.tokens = taken.size();
  return result;
}

Trial run_trials(const EncoderFactory& make, const ProgramShape& shape, std::uint64_t runs) {
  Trial trial;
  trial.runs = runs * test::test_scale();
  for (std::uint64_t seed = 1; seed <= trial.runs; ++seed) {
    const RandomProgram program(seed, shape);
    const std::unique_ptr<Encoder> encoder = make(program);
    const ReplayResult result = replay(*encoder, program.trace);
    trial.tokens += result.tokens;
    trial.bad_tokens += result.bad();
    trial.wrong_tokens += result.wrong;
    trial.limit_tokens += result.at_limit;
    if (result.bad() == 0) continue;
    ++trial.failed_runs;
    if (trial.first_failure.empty()) {
      trial.first_failure = "seed " + std::to_string(seed) + ", " + result.first_failure;
    }
  }
  return trial;
}

std::string to_text(const Trace& trace) {
  std::string text;
  for (const TraceEvent& event : trace) {
    const std::string thread = std::to_string(raw(event.thread));
    switch (event.kind) {
      case TraceEvent::Kind::kStart:
        text += "S " + thread;
        break;
      case TraceEvent::Kind::kCall:
        text += "C " + thread + ' ' + std::to_string(raw(caller_of(event.edge))) + ' ' +
                std::to_string(raw(site_of(event.edge).ordinal)) + ' ' +
                std::to_string(raw(callee_of(event.edge)));
        break;
      case TraceEvent::Kind::kReturn:
        text += "R " + thread;
        break;
      case TraceEvent::Kind::kUnwind:
        text += "U " + thread + ' ' + std::to_string(event.frames);
        break;
      case TraceEvent::Kind::kToken:
        text += "Q " + thread;
        break;
      case TraceEvent::Kind::kEnd:
        text += "E " + thread;
        break;
    }
    text += '\n';
  }
  return text;
}

}  // namespace copse::encoders
