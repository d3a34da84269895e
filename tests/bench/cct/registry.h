// Registers the benchmarks. REQUIRES: the streams are loaded, since every stream is a benchmark of its own.
#pragma once

namespace copse::bench {

void register_packet_benchmarks();
void register_tree_benchmarks();
void register_engine_benchmarks();

}  // namespace copse::bench
