// copse_bench: what a call costs behind the probe. Options beside Google Benchmark's own:
//   --calls=N        length of generated streams, most records taken from a file (20,000,000)
//   --stream=FILE    a recorded stream, in addition to the generated ones; repeatable
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "cct/registry.h"
#include "cct/streams.h"

int main(int argc, char** argv) {
  std::size_t calls = 20'000'000;
  std::vector<std::string> files;
  std::vector<char*> others{argv[0]};
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    if (option.starts_with("--calls=")) {
      calls = std::strtoull(argv[i] + 8, nullptr, 10);
    } else if (option.starts_with("--stream=")) {
      files.emplace_back(option.substr(9));
    } else {
      others.push_back(argv[i]);
    }
  }
  int count = static_cast<int>(others.size());
  benchmark::Initialize(&count, others.data());
  if (benchmark::ReportUnrecognizedArguments(count, others.data())) return 2;
  if (const copse::Status loaded = copse::bench::load_streams(calls, files); !loaded) {
    std::fprintf(stderr, "copse_bench: %s\n", loaded.message().c_str());
    return 2;
  }
  copse::bench::register_packet_benchmarks();
  copse::bench::register_tree_benchmarks();
  copse::bench::register_engine_benchmarks();
  benchmark::RunSpecifiedBenchmarks();
}
