// End to end: one producer thread that does nothing but append, and the engine behind it.
#include <benchmark/benchmark.h>

#include <ctime>
#include <memory>
#include <string>

#include "cct/packets/engine.h"
#include "cct/registry.h"
#include "cct/streams.h"
#include "shadowstack/packets/packet_pool.h"
#include "shadowstack/packets/recorder.h"

namespace copse::bench {
namespace {

double process_cpu_ns() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) * 1e9 + double(now.tv_nsec);
}

void record_and_build(benchmark::State& state, const CallStream& stream,
                      cct::EngineOptions::Kind kind, std::uint64_t queue_bytes) {
  cct::EngineStats stats;
  const double cpu_before = process_cpu_ns();
  for (auto _ : state) {
    shadowstack::PacketPool pool({.queue_bytes = queue_bytes});
    const std::unique_ptr<cct::Engine> engine =
        cct::Engine::make({.kind = kind, .workers = 1}, pool);
    shadowstack::Recorder recorder(pool, *engine);
    shadowstack::ThreadHeader* header = recorder.attach(1, "bench");
    const std::uint64_t bytes = pool.packet_bytes();
    for (const CallRecord record : stream.records) {
      while (!shadowstack::try_append(*header, record, bytes)) recorder.next_packet(header);
    }
    recorder.detach(header);
    recorder.close();
    benchmark::DoNotOptimize(engine->finish().node_count());
    stats = engine->stats();
  }
  const double calls = double(stream.records.size());
  state.counters["ns/call"] = benchmark::Counter(
      calls * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  // All threads, waking and waiting included; what exceeds append and fold is the engine's
  // overhead.
  state.counters["cpu_ns/call"] =
      (process_cpu_ns() - cpu_before) / (calls * static_cast<double>(state.iterations()));
  state.counters["fold_cpu_ns/call"] = double(stats.fold_cpu_ns) / calls;
  state.counters["helped_%"] = 100.0 * double(stats.packets_by_producers) /
                               double(stats.packets_by_producers + stats.packets_by_workers);
}

}  // namespace

void register_engine_benchmarks() {
  for (const CallStream& stream : streams()) {
    const auto add = [&stream](const std::string& name, cct::EngineOptions::Kind kind,
                               std::uint64_t mib) {
      benchmark::RegisterBenchmark((name + "/" + stream.name).c_str(),
                                   [&stream, kind, mib](benchmark::State& s) {
                                     record_and_build(s, stream, kind, mib << 20);
                                   })
          ->Unit(benchmark::kMillisecond)
          ->UseRealTime();
    };
    for (const std::uint64_t mib : {1, 4, 16, 64}) {
      add("engine_tree_" + std::to_string(mib) + "MiB", cct::EngineOptions::Kind::kParallel, mib);
    }
    add("engine_uptree", cct::EngineOptions::Kind::kUptree, 64);
  }
}

}  // namespace copse::bench
