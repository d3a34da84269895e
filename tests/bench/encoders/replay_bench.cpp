// Nanoseconds per call of every encoder on call streams, call and return together. "bare" is the
// same loop without an encoder: subtract it.
//
//   bench_encoders [--stream=FILE]... [--calls=N] [Google Benchmark's options]
#include <benchmark/benchmark.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "encoders/replay/registry.h"
#include "event_streams.h"

namespace copse::encoders {
namespace {

void report_speed(benchmark::State& state, const EventStream& stream) {
  state.SetItemsProcessed(static_cast<std::int64_t>(stream.calls) * state.iterations());
  state.counters["s_per_call"] = benchmark::Counter(
      static_cast<double>(stream.calls),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void bare(benchmark::State& state, const EventStream& stream) {
  for (auto _ : state) {
    std::uint64_t sum = 0;
    std::uint64_t depth = 0;
    for (const EdgeKey event : stream.events) {
      if (event == kNoEdge) {
        --depth;
      } else {
        sum += raw(event) ^ ++depth;
      }
    }
    benchmark::DoNotOptimize(sum);
  }
  report_speed(state, stream);
}

template <typename E>
void feed(E& encoder, const EventStream& stream) {
  auto& thread = encoder.thread(ThreadIndex{0});
  encoder.start(thread);
  for (const EdgeKey event : stream.events) {
    if (event == kNoEdge) {
      encoder.ret(thread);
    } else {
      encoder.call(thread, event);
    }
  }
}

// One pass warms the encoder up; the timed passes show its steady state.
void replay(benchmark::State& state, std::string_view name, const EventStream& stream) {
  EncoderConfig config;
  config.graph = stream.graph;
  visit_encoder(name, config, [&](auto make) {
    auto encoder = make();
    feed(encoder, stream);
    for (auto _ : state) feed(encoder, stream);
    const MemoryUse use = encoder.memory();
    state.counters["resident_bytes"] = static_cast<double>(use.resident_bytes);
    state.counters["decode_bytes"] = static_cast<double>(use.decode_only_bytes);
    if constexpr (requires { encoder.node_count(); }) {
      state.counters["contexts"] = static_cast<double>(encoder.node_count());
    }
    if constexpr (requires { encoder.pieces(); }) {
      state.counters["records"] = static_cast<double>(encoder.numbering().mapping_count());
      state.counters["pieces"] = static_cast<double>(encoder.pieces().count());
      state.counters["slow_share"] = static_cast<double>(encoder.slow_calls()) /
                                     static_cast<double>(stream.calls) /
                                     static_cast<double>(state.iterations() + 1);
    }
  });
  report_speed(state, stream);
}

void add_benchmarks(const EventStream& stream) {
  const auto add = [&](std::string_view name, auto run) {
    const std::string full_name = stream.name + '/' + std::string(name);
    benchmark::RegisterBenchmark(full_name.c_str(), run)->Unit(benchmark::kMillisecond);
  };
  add("bare", [&stream](benchmark::State& state) { bare(state, stream); });
  for (const EncoderInfo& info : all_encoders()) {
    // The log of Luce's versions grows with every call: a second pass is not like the first.
    if (info.form != Form::kOurs || info.name.starts_with("luce-")) continue;
    add(info.name,
        [&stream, name = info.name](benchmark::State& state) { replay(state, name, stream); });
  }
}

int run(int argc, char** argv) {
  std::uint64_t calls = 10'000'000;
  std::vector<std::string> files;
  std::vector<char*> others;
  for (char* argument : std::vector<char*>(argv, argv + argc)) {
    const std::string_view word = argument;
    if (word.starts_with("--stream=")) {
      files.emplace_back(word.substr(9));
    } else if (word.starts_with("--calls=")) {
      calls = std::stoull(std::string(word.substr(8)));
    } else {
      others.push_back(argument);
    }
  }
  std::vector<EventStream> streams;
  if (files.empty()) {
    streams.push_back(model_stream(calls));
    streams.push_back(zipf_stream(calls));
  }
  for (const std::string& file : files) {
    Result<EventStream> stream = read_stream(file, calls);
    if (!stream.ok()) {
      std::fprintf(stderr, "bench_encoders: %s\n", stream.message().c_str());
      return 1;
    }
    streams.push_back(std::move(stream).value());
  }
  for (const EventStream& stream : streams) add_benchmarks(stream);
  int count = static_cast<int>(others.size());
  benchmark::Initialize(&count, others.data());
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace
}  // namespace copse::encoders

int main(int argc, char** argv) { return copse::encoders::run(argc, argv); }
