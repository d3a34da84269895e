// copse_bench: what a call costs behind the probe. Options beside Google Benchmark's own:
//   --calls=N        length of generated streams, most calls taken from a trace (20,000,000)
//   --trace=FILE     a recorded program, in addition to the generated ones; repeatable
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cct/recorded_stream.h"
#include "cct/registry.h"
#include "cct/streams.h"

int main(int argc, char** argv) {
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
  int count = static_cast<int>(others.size());
  benchmark::Initialize(&count, others.data());
  if (benchmark::ReportUnrecognizedArguments(count, others.data())) return 2;
  copse::bench::add_generated_streams(calls);
  for (const std::string& path : traces) {
    copse::Result<copse::bench::CallStream> stream = copse::bench::recorded_stream(path, calls);
    if (!stream.ok()) {
      std::fprintf(stderr, "copse_bench: %s\n", stream.message().c_str());
      return 2;
    }
    copse::bench::add_stream(std::move(stream).value());
  }
  copse::bench::register_packet_benchmarks();
  copse::bench::register_tree_benchmarks();
  copse::bench::register_engine_benchmarks();
  benchmark::RunSpecifiedBenchmarks();
}
