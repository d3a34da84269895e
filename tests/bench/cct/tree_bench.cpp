// The worker's side: folding packets into a tree, merging a delta tree into the master.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include "cct/cct.h"
#include "cct/packets/delta_folder.h"
#include "cct/packets/tree_folder.h"
#include "cct/packets/uptree_folder.h"
#include "cct/registry.h"
#include "cct/streams.h"

namespace copse::bench {
namespace {

void count_calls(benchmark::State& state, double calls, const cct::Cct& tree) {
  state.counters["calls/s"] =
      benchmark::Counter(calls, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["ns/call"] = benchmark::Counter(
      calls * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["calls"] = calls;
  state.counters["contexts"] = tree.node_count() - 1;
  state.counters["B/context"] = double(tree.memory_bytes()) / tree.node_count();
}

// The whole tape, `abreast` packets at a time.
template <typename Fold>
void for_batches(PacketTape& tape, std::size_t abreast, Fold fold) {
  std::vector<shadowstack::Packet*> packets;
  for (shadowstack::Packet& packet : tape.packets()) packets.push_back(&packet);
  for (std::size_t at = 0; at < packets.size(); at += abreast) {
    fold(std::span(packets).subspan(at, std::min(abreast, packets.size() - at)));
  }
}

void fold_tape(cct::TreeFolder& folder, PacketTape& tape,
               std::size_t abreast = cct::TreeFolder::kLanes) {
  for_batches(tape, abreast,
              [&](std::span<shadowstack::Packet* const> batch) { folder.fold(batch); });
}

// Straight into one tree that already has every context.
void fold_warm(benchmark::State& state, const CallStream& stream, std::size_t abreast,
               bool merge_recursion) {
  PacketTape tape(stream);
  cct::Cct tree;
  const auto merged = std::make_shared<cct::MergedMethods>();
  if (merge_recursion) merged->add_all();
  cct::TreeFolder folder(tree, {.merged = merged});
  const auto fold_all = [&] { fold_tape(folder, tape, abreast); };
  fold_all();
  for (auto _ : state) fold_all();
  count_calls(state, double(stream.records.size()), tree);
}

// Straight into a new tree.
void fold_cold(benchmark::State& state, const CallStream& stream) {
  PacketTape tape(stream);
  std::unique_ptr<cct::Cct> tree;
  for (auto _ : state) {
    state.PauseTiming();
    tree = std::make_unique<cct::Cct>();
    state.ResumeTiming();
    cct::TreeFolder folder(*tree, {});
    fold_tape(folder, tape);
  }
  count_calls(state, double(stream.records.size()), *tree);
}

// Folds as a worker does: into a delta tree or uptree that is merged into the master whenever it is full.
template <typename MakeFolder>
void fold_and_merge(benchmark::State& state, const CallStream& stream, MakeFolder make) {
  PacketTape tape(stream);
  std::unique_ptr<cct::Cct> master;
  double merges = 0;
  for (auto _ : state) {
    state.PauseTiming();
    master = std::make_unique<cct::Cct>();
    const auto folder = make();
    merges = 0;
    state.ResumeTiming();
    for_batches(tape, cct::TreeFolder::kLanes, [&](std::span<shadowstack::Packet* const> batch) {
      folder->fold(batch);
      if (!folder->full()) return;
      folder->merge_into(*master);
      ++merges;
    });
    folder->merge_into(*master);
  }
  count_calls(state, double(stream.records.size()), *master);
  state.counters["merges"] = merges;
}

// One whole tree into a master that has all its contexts.
void merge(benchmark::State& state, const CallStream& stream) {
  PacketTape tape(stream);
  cct::Cct master;
  cct::Cct delta;
  double nodes = 0;
  for (auto _ : state) {
    state.PauseTiming();
    delta.clear();
    cct::TreeFolder folder(delta, {});
    fold_tape(folder, tape);
    if (master.node_count() == 1) {
      cct::Cct copy;
      cct::TreeFolder other(copy, {});
      fold_tape(other, tape);
      master.merge(copy);
    }
    nodes = delta.node_count();
    state.ResumeTiming();
    master.merge(delta);
  }
  state.counters["ns/node"] = benchmark::Counter(
      nodes * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["nodes"] = nodes;
}

// A tree that is full: the coldest quarter of its nodes goes. Contexts are as deep and as unevenly
// called as a random walk makes them.
void evict_coldest(benchmark::State& state, std::uint32_t nodes) {
  std::unique_ptr<cct::Cct> tree;
  for (auto _ : state) {
    state.PauseTiming();
    tree = std::make_unique<cct::Cct>();
    std::mt19937_64 random(1);
    while (tree->node_count() < nodes) {
      const auto parent = static_cast<std::uint32_t>(random() % tree->node_count());
      const auto method = static_cast<std::uint32_t>(1 + random() % 50'000);
      const std::uint32_t node = tree->child(parent, context_key(kNoSite, MethodId{method}));
      tree->add_calls(node, 1 + (random() % 16 == 0 ? random() % 10'000 : 0));
    }
    state.ResumeTiming();
    tree->evict_above(nodes - 1);
  }
  state.counters["nodes"] = nodes;
  state.counters["nodes left"] = tree->node_count();
}

}  // namespace

void register_tree_benchmarks() {
  const auto add = [](const std::string& name, auto run) {
    benchmark::RegisterBenchmark(name.c_str(), run)->Unit(benchmark::kMillisecond);
  };
  add("evict_coldest/10M", [](benchmark::State& s) { evict_coldest(s, 10'000'000); });
  for (const CallStream& stream : streams()) {
    add("fold_warm/" + stream.name,
        [&](benchmark::State& s) { fold_warm(s, stream, cct::TreeFolder::kLanes, false); });
    add("fold_one_by_one/" + stream.name,
        [&](benchmark::State& s) { fold_warm(s, stream, 1, false); });
    add("fold_cold/" + stream.name, [&](benchmark::State& s) { fold_cold(s, stream); });
    add("merge_recursion/" + stream.name,
        [&](benchmark::State& s) { fold_warm(s, stream, 1, true); });
    for (const std::uint32_t nodes : {1u << 14, 1u << 16, 1u << 18, 1u << 20}) {
      add("delta_" + std::to_string(nodes >> 10) + "Ki/" + stream.name,
          [&, nodes](benchmark::State& s) {
            fold_and_merge(s, stream, [&] {
              return std::make_unique<cct::DeltaFolder>(cct::PlacingOptions{}, nodes,
                                                        shadowstack::anonymous_memory());
            });
          });
    }
    add("uptree_eager/" + stream.name, [&](benchmark::State& s) {
      fold_and_merge(s, stream, [&] {
        return std::make_unique<cct::UptreeFolder>(cct::UptreeFolderOptions{},
                                                   shadowstack::anonymous_memory());
      });
    });
    add("uptree_lazy_100/" + stream.name, [&](benchmark::State& s) {
      fold_and_merge(s, stream, [&] {
        return std::make_unique<cct::UptreeFolder>(cct::UptreeFolderOptions{.event_every = 100},
                                                   shadowstack::anonymous_memory());
      });
    });
    add("merge/" + stream.name, [&](benchmark::State& s) { merge(s, stream); });
  }
}

}  // namespace copse::bench
