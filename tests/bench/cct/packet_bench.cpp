// The application thread's side: appending a record, handing over a packet.
#include <benchmark/benchmark.h>

#include <algorithm>

#include "cct/registry.h"
#include "cct/streams.h"
#include "shadowstack/packets/packet_pool.h"
#include "shadowstack/packets/recorder.h"

namespace copse::bench {
namespace {

// Gives every packet back at once: what is left is the producer's own cost.
class DroppingSink : public shadowstack::PacketSink {
 public:
  explicit DroppingSink(shadowstack::PacketPool& pool) : pool_(pool) {}
  void submit(shadowstack::Packet* packet) noexcept override { pool_.release(packet); }
  bool help() noexcept override { return false; }

 private:
  shadowstack::PacketPool& pool_;
};

// The probe's C++ twin on a stream: append, and hand-over of full packets with their chains.
void append(benchmark::State& state, const CallStream& stream, std::uint32_t slots) {
  shadowstack::PacketPool pool({.slots = slots});
  DroppingSink sink(pool);
  shadowstack::Recorder recorder(pool, sink);
  shadowstack::ThreadHeader* header = recorder.attach(1, "bench");
  const std::uint64_t bytes = pool.packet_bytes();
  for (auto _ : state) {
    for (const CallRecord record : stream.records) {
      while (!shadowstack::try_append(*header, record, bytes)) recorder.next_packet(header);
    }
  }
  recorder.detach(header);
  state.counters["calls/s"] = benchmark::Counter(double(stream.records.size()),
                                                 benchmark::Counter::kIsIterationInvariantRate);
  state.counters["ns/call"] = benchmark::Counter(
      double(stream.records.size()) * 1e-9,
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

// The chain alone: what a hand-over adds to the queue's cost. A few packets from the middle, so
// that they are in the cache, as one that was just filled is.
void advance_chain(benchmark::State& state, const CallStream& stream) {
  const PacketTape tape(stream);
  const std::size_t first = tape.packets().size() / 2;
  const std::size_t end = std::min(first + 8, tape.packets().size());
  std::size_t at = first;
  std::uint64_t records = 0;
  for (auto _ : state) {
    const shadowstack::Packet& packet = tape.packets()[at];
    at = at + 1 == end ? first : at + 1;
    shadowstack::FrameChain next;
    std::uint32_t min_depth = 0;
    benchmark::DoNotOptimize(packet.start.advance(packet.records(), next, min_depth));
    records += packet.count;
  }
  state.counters["ns/record"] = benchmark::Counter(
      double(records) * 1e-9, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

}  // namespace

void register_packet_benchmarks() {
  for (const CallStream& stream : streams()) {
    benchmark::RegisterBenchmark(("append/" + stream.name).c_str(), [&](benchmark::State& state) {
      append(state, stream, 4096);
    })->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("hand_over_chain/" + stream.name).c_str(),
                                 [&](benchmark::State& state) { advance_chain(state, stream); });
  }
}

}  // namespace copse::bench
