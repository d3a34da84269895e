// End to end: producer threads that do nothing but append, and the engine behind them.
#include <benchmark/benchmark.h>

#include <ctime>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

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

// `producers` threads append the whole stream each, as fast as they can; `workers` threads build the
// tree.
// ns/call is wall time over all calls of all producers, so it halves where both counts double for free.
void record_by_many(benchmark::State& state, const CallStream& stream,
                    cct::EngineOptions::Kind kind, unsigned producers, unsigned workers) {
  cct::EngineStats stats;
  for (auto _ : state) {
    shadowstack::PacketPool pool({.queue_bytes = 256ULL << 20});
    const std::unique_ptr<cct::Engine> engine =
        cct::Engine::make({.kind = kind, .workers = workers}, pool);
    shadowstack::Recorder recorder(pool, *engine);
    std::vector<std::thread> threads;
    for (unsigned producer = 0; producer < producers; ++producer) {
      threads.emplace_back([&, producer] {
        shadowstack::ThreadHeader* header = recorder.attach(producer + 1, "bench");
        const std::uint64_t bytes = pool.packet_bytes();
        for (const CallRecord record : stream.records) {
          while (!shadowstack::try_append(*header, record, bytes)) recorder.next_packet(header);
        }
        recorder.detach(header);
      });
    }
    for (std::thread& thread : threads) thread.join();
    recorder.close();
    benchmark::DoNotOptimize(engine->finish().node_count());
    stats = engine->stats();
  }
  const double calls = double(stream.records.size()) * producers;
  state.counters["ns/call"] = benchmark::Counter(
      calls * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
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
    for (const unsigned producers : {1U, 2U, 4U, 8U}) {
      for (const unsigned workers : {1U, 2U, 4U, 8U}) {
        const std::string threads = std::to_string(producers) + "_" + std::to_string(workers);
        for (const auto& [name, kind] :
             {std::pair("scale_tree_", cct::EngineOptions::Kind::kParallel),
              std::pair("scale_uptree_", cct::EngineOptions::Kind::kUptree)}) {
          benchmark::RegisterBenchmark((name + threads + "/" + stream.name).c_str(),
                                       [&stream, kind, producers, workers](benchmark::State& s) {
                                         record_by_many(s, stream, kind, producers, workers);
                                       })
              ->Unit(benchmark::kMillisecond)
              ->UseRealTime();
        }
      }
    }
  }
}

}  // namespace copse::bench
