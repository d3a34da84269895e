// Random programs and their event traces, and the shadow stack that every encoder is compared with.
// The seed decides everything; tests print it on failure.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "encoders/replay/encoder.h"
#include "graph/call_graph.h"

namespace copse::encoders {

struct TraceEvent {
  enum class Kind { kStart, kCall, kReturn, kUnwind, kToken, kEnd };
  Kind kind;
  ThreadIndex thread;
  EdgeKey edge = kNoEdge;    // kCall
  std::uint32_t frames = 0;  // kUnwind
};
using Trace = std::vector<TraceEvent>;

struct ProgramShape {
  std::uint32_t max_methods = 8;
  double fan_out = 2.0;
  double recursion = 0.25;     // share of targets drawn from all methods instead of later ones
  double polymorphism = 0.3;   // chance that a site gets one more target
  bool main_recursion = true;  // calls of method 1
  bool self_edges = true;
  bool cycles = true;
  bool several_entries = false;  // threads may start at any method
  std::uint32_t threads = 1;
  std::uint32_t events = 200;
  std::uint32_t max_depth = 30;
  double unwinds = 0.05;
  double tokens = 0.5;
};

// Targets by caller (method id) and site ordinal - 1. Method 1 is main.
using Sites = std::vector<std::vector<std::vector<std::uint32_t>>>;

struct RandomProgram {
  RandomProgram(std::uint64_t seed, const ProgramShape& shape);

  Sites sites;
  Trace trace;
  graph::CallGraph graph;  // every edge of `sites` and every thread entry
};

// Builds a trace by hand; method ids and site ordinals are plain numbers.
class TraceBuilder {
 public:
  TraceBuilder& start(std::uint32_t thread, std::uint32_t entry);
  TraceBuilder& call(std::uint32_t caller, std::uint32_t site, std::uint32_t callee);
  TraceBuilder& ret(std::uint32_t count = 1);
  TraceBuilder& unwind(std::uint32_t frames);
  TraceBuilder& token();
  TraceBuilder& on(std::uint32_t thread);  // the thread of the calls that follow

  const Trace& trace() const { return trace_; }
  graph::CallGraph graph() const;  // the edges that were taken

 private:
  ThreadIndex thread_{0};
  Trace trace_;
};

struct ReplayResult {
  std::uint64_t tokens = 0;
  std::uint64_t wrong = 0;        // decoded to another context than expected, at once or at the end
  std::uint64_t undecodable = 0;  // decode failed
  std::uint64_t at_limit = 0;     // of these, at a limit
  std::string first_failure;
  std::vector<std::string> token_hex;

  std::uint64_t bad() const { return wrong + undecodable; }
};

// Feeds the trace, takes a token at every kToken event and decodes it at once and at the end. Collects the context of a
// call at each event whose number is a multiple of `collect_period`.
ReplayResult replay(Encoder& encoder, const Trace& trace, std::uint64_t collect_period = 1);

using EncoderFactory = std::function<std::unique_ptr<Encoder>(const RandomProgram&)>;

struct Trial {
  std::uint64_t runs = 0;
  std::uint64_t failed_runs = 0;
  std::uint64_t tokens = 0;
  std::uint64_t bad_tokens = 0;
  std::uint64_t wrong_tokens = 0;  // of these, decoded to another context
  std::uint64_t limit_tokens = 0;  // of these, not decoded because of a limit
  std::string first_failure;       // with its seed
};

// One run per seed 1 .. runs * test_scale().
Trial run_trials(const EncoderFactory& make, const ProgramShape& shape, std::uint64_t runs);

// The trace as text, one event per line: "S thread", "C thread caller ordinal callee", "R thread",
// "U thread frames", "Q thread", "E thread".
std::string to_text(const Trace& trace);

template <typename E, typename... Args>
std::unique_ptr<Encoder> adapt(Args&&... args) {
  return std::make_unique<EncoderAdapter<E>>([&] { return E(std::forward<Args>(args)...); });
}

}  // namespace copse::encoders
