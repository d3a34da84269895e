// copse_bench_trace: what a call costs on its way into a trace and out of it. Options beside Google
// Benchmark's own:
//   --calls=N        length of generated streams (20,000,000)
//   --trace=FILE     a recorded trace to read, in addition; repeatable
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cct/streams.h"
#include "trace/open_trace.h"
#include "trace/trace_writer.h"

namespace copse::bench {
namespace {

double per_call(double calls) { return calls * 1e-9; }

void count(benchmark::State& state, std::size_t calls, std::uint64_t bytes) {
  state.counters["ns/call"] =
      benchmark::Counter(per_call(double(calls)), benchmark::Counter::kIsIterationInvariantRate |
                                                      benchmark::Counter::kInvert);
  state.counters["bytes/call"] = double(bytes) / double(calls);
}

std::uint64_t write_trace(const PacketTape& tape, const std::string& path) {
  const Result<std::unique_ptr<trace::TraceWriter>> writer = trace::TraceWriter::create(path);
  if (!writer.ok()) return 0;
  trace::EndInfo end;
  for (const shadowstack::Packet& packet : tape.packets()) {
    if (!(*writer)->write_packet(packet).ok()) return 0;
    end.calls_seen += packet.count;
  }
  return (*writer)->finish(std::move(end)).ok() ? (*writer)->bytes() : 0;
}

void write_stream(benchmark::State& state, const CallStream& stream, const std::string& path) {
  const PacketTape tape(stream);
  std::uint64_t bytes = 0;
  for (auto _ : state) bytes = write_trace(tape, path);
  if (bytes == 0) state.SkipWithError("the trace cannot be written");
  count(state, stream.records.size(), bytes);
}

// The bare reader: every event is made, none is used.
void read_trace(benchmark::State& state, const std::string& path) {
  const Result<std::unique_ptr<trace::Trace>> trace = trace::open_whole_trace(path);
  if (!trace.ok()) return state.SkipWithError(trace.message().c_str());
  std::size_t events = 0;
  std::size_t calls = 0;
  for (auto _ : state) {
    events = calls = 0;
    for (;;) {
      const Result<std::optional<trace::EventBatch>> batch = (*trace)->next();
      if (!batch.ok()) return state.SkipWithError(batch.message().c_str());
      if (!batch->has_value()) break;
      events += (*batch)->events.size();
      benchmark::DoNotOptimize((*batch)->events.data());
    }
    state.PauseTiming();
    if (!(*trace)->rewind().ok()) return state.SkipWithError("no rewind");
    state.ResumeTiming();
  }
  if (const auto& end = (*trace)->end()) calls = end->calls_seen;
  state.counters["events/s"] =
      benchmark::Counter(double(events), benchmark::Counter::kIsIterationInvariantRate);
  count(state, calls == 0 ? events : calls, std::filesystem::file_size(path));
}

}  // namespace
}  // namespace copse::bench

int main(int argc, char** argv) {
  using namespace copse;
  std::size_t calls = 20'000'000;
  std::vector<std::string> traces;
  std::vector<char*> others{argv[0]};
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    if (option.starts_with("--calls=")) {
      calls = std::strtoull(argv[i] + 8, nullptr, 10);
    } else if (option.starts_with("--trace=")) {
      traces.emplace_back(option.substr(8));
    } else {
      others.push_back(argv[i]);
    }
  }
  int left = static_cast<int>(others.size());
  benchmark::Initialize(&left, others.data());
  if (benchmark::ReportUnrecognizedArguments(left, others.data())) return 2;
  bench::add_generated_streams(calls);
  const std::string folder = std::filesystem::temp_directory_path().string() +
                             "/copse-bench-trace-" + std::to_string(getpid());
  std::filesystem::create_directories(folder);
  for (const bench::CallStream& stream : bench::streams()) {
    std::string file = stream.name;
    for (char& c : file) c = c == '/' ? '-' : c;
    const std::string path = folder + "/" + file;
    benchmark::RegisterBenchmark(("write/" + stream.name).c_str(), [&stream,
                                                                    path](benchmark::State& state) {
      bench::write_stream(state, stream, path);
    })->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("read/" + stream.name).c_str(), [&stream,
                                                                   path](benchmark::State& state) {
      if (bench::write_trace(bench::PacketTape(stream), path) == 0) {
        return state.SkipWithError("the trace cannot be written");
      }
      bench::read_trace(state, path);
    })->Unit(benchmark::kMillisecond);
  }
  for (const std::string& path : traces) {
    benchmark::RegisterBenchmark(("read/" + path).c_str(), [path](benchmark::State& state) {
      bench::read_trace(state, path);
    })->Unit(benchmark::kMillisecond);
  }
  benchmark::RunSpecifiedBenchmarks();
  std::filesystem::remove_all(folder);
}
