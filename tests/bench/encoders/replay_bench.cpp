// Nanoseconds per call of every encoder on one recorded stream, call and return together. "bare" is
// the same loop without an encoder: subtract it. The stream is 10 million calls of a seeded program
// model of 1,500 methods with recursion, at most 100 frames deep.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <random>
#include <vector>

#include "encoders/registry.h"

namespace copse::encoders {
namespace {

struct Stream {
  std::vector<EdgeKey> events;  // kNoEdge: return
  CallGraph graph;
  std::uint64_t calls = 0;
};

// A program model: each method runs its sites in order, each taken with its own odds and repeated.
// What happens below depth 10 follows from one of a limited number of inputs, so whole subtrees
// recur, as they do in programs.
class ProgramModel {
 public:
  explicit ProgramModel(std::uint64_t calls) : calls_left_(calls), methods_(kMethods) {
    std::mt19937_64 random(1);
    // Most calls lead to later methods, nearer the leaves; one target in forty closes cycles.
    const auto target_of = [&](std::uint32_t caller) {
      if (random() % 40 == 0) return 1 + static_cast<std::uint32_t>(random() % (kMethods - 1));
      const auto step = 1 + static_cast<std::uint32_t>(random() % (kMethods / 12));
      return std::min(caller + step, kMethods - 1);
    };
    for (std::uint32_t caller = 1; caller + kLeaves < kMethods; ++caller) {
      std::vector<Site>& sites = methods_[caller];
      sites.resize(1 + random() % 6);
      double calls_per_activation = 0;
      for (Site& site : sites) {
        const double u = chance(random);
        site.odds = u < 0.35 ? 0.97 : (u < 0.7 ? 0.05 : chance(random));
        site.most = chance(random) < 0.12 ? 2 + random() % 6 : 1;
        site.targets.resize(chance(random) < 0.7 ? 1 : 2 + random() % 4);
        for (std::uint32_t& target : site.targets) target = target_of(caller);
        calls_per_activation += site.odds * (1 + static_cast<double>(site.most)) / 2;
      }
      for (Site& site : sites) site.odds = std::min(0.99, site.odds * 0.85 / calls_per_activation);
    }
    for (std::uint32_t& entry : entries_) entry = 1 + static_cast<std::uint32_t>(random() % 40);
  }

  Stream run() {
    while (calls_left_ > 0) {
      const std::uint32_t entry = entries_[skewed(inputs_, 20)];
      random_.seed(skewed(inputs_, 40) * 7919 + entry);
      call(entry_edge(MethodId{entry}), 0);
    }
    return std::move(stream_);
  }

 private:
  static constexpr std::uint32_t kMethods = 1500;
  static constexpr std::uint32_t kLeaves = 300;
  static constexpr std::uint32_t kMaxDepth = 100;
  struct Site {
    double odds;
    std::uint64_t most;
    std::vector<std::uint32_t> targets;
  };

  static double chance(std::mt19937_64& random) {
    return static_cast<double>(random() >> 11) * 0x1p-53;
  }
  static std::uint64_t skewed(std::mt19937_64& random, std::uint64_t limit) {
    const double u = chance(random);
    return static_cast<std::uint64_t>(static_cast<double>(limit) * u * u * u);
  }

  void call(EdgeKey edge, std::uint32_t depth) {
    if (calls_left_ == 0) return;
    --calls_left_;
    ++stream_.calls;
    stream_.events.push_back(edge);
    stream_.graph.add(edge);
    if (depth < kMaxDepth) body(callee_of(edge), depth);
    stream_.events.push_back(kNoEdge);
  }

  void body(MethodId method, std::uint32_t depth) {
    if (depth == 10) random_.seed(raw(method) * 1'000'003ull + skewed(inputs_, 6));
    std::uint16_t ordinal = 0;
    bool called = false;
    for (const Site& site : methods_[raw(method)]) {
      ++ordinal;
      // Down to some depth every method calls another: programs do not stop at main.
      const bool keeps_going = !called && depth < 16 && ordinal == methods_[raw(method)].size();
      if (chance(random_) >= site.odds && !keeps_going) continue;
      called = true;
      const std::uint64_t count = 1 + random_() % site.most;
      for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint32_t callee = site.targets[skewed(random_, site.targets.size())];
        call(edge_key({method, SiteOrdinal{ordinal}}, MethodId{callee}), depth + 1);
      }
    }
  }

  std::uint64_t calls_left_;
  std::vector<std::vector<Site>> methods_;
  std::uint32_t entries_[20];
  std::mt19937_64 inputs_{2};
  std::mt19937_64 random_{3};
  Stream stream_;
};

const Stream& stream() {
  static const Stream made = ProgramModel(10'000'000).run();
  return made;
}

void bare(benchmark::State& state) {
  const Stream& s = stream();
  for (auto _ : state) {
    std::uint64_t sum = 0;
    std::uint64_t depth = 0;
    for (const EdgeKey event : s.events) {
      if (event == kNoEdge) {
        --depth;
      } else {
        sum += raw(event) ^ ++depth;
      }
    }
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(s.calls) * state.iterations());
  state.counters["s_per_call"] = benchmark::Counter(
      static_cast<double>(s.calls),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(bare)->Unit(benchmark::kMillisecond);

template <typename E>
void feed(E& encoder, const Stream& s) {
  auto& thread = encoder.thread(ThreadIndex{0});
  encoder.start(thread);
  for (const EdgeKey event : s.events) {
    if (event == kNoEdge) {
      encoder.ret(thread);
    } else {
      encoder.call(thread, event);
    }
  }
}

// One pass warms the encoder up; the timed passes show its steady state.
void replay(benchmark::State& state, std::string_view name) {
  const Stream& s = stream();
  EncoderConfig config;
  config.graph = s.graph;
  visit_encoder(name, config, [&](auto make) {
    auto encoder = make();
    feed(encoder, s);
    for (auto _ : state) feed(encoder, s);
    const MemoryUse use = encoder.memory();
    state.counters["resident_bytes"] = static_cast<double>(use.resident_bytes);
    state.counters["decode_bytes"] = static_cast<double>(use.decode_only_bytes);
    if constexpr (requires { encoder.node_count(); }) {
      state.counters["contexts"] = static_cast<double>(encoder.node_count());
    }
    if constexpr (requires { encoder.record_count(); }) {
      state.counters["records"] = static_cast<double>(encoder.record_count());
      state.counters["slow_share"] = static_cast<double>(encoder.slow_calls()) /
                                     static_cast<double>(s.calls) /
                                     static_cast<double>(state.iterations() + 1);
    }
  });
  state.SetItemsProcessed(static_cast<std::int64_t>(s.calls) * state.iterations());
  state.counters["s_per_call"] = benchmark::Counter(
      static_cast<double>(s.calls),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

}  // namespace
}  // namespace copse::encoders

int main(int argc, char** argv) {
  for (const auto& info : copse::encoders::all_encoders()) {
    // Luce's log grows with every call, so that a second pass is not like the first.
    if (info.is_literal || info.name.starts_with("luce")) continue;
    benchmark::RegisterBenchmark(std::string(info.name).c_str(), [name = info.name](
                                                                     benchmark::State& state) {
      copse::encoders::replay(state, name);
    })->Unit(benchmark::kMillisecond);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
