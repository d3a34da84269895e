// The call streams that benchmarks run on: generated, seeded ones that look like programs, and
// the ones that a benchmark program adds (recorded_stream.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/call_record.h"
#include "shadowstack/packet.h"

namespace copse::bench {

struct CallStream {
  std::string name;
  std::vector<CallRecord> records;
};

// Nested loops over a few methods with leaves called again and again: 15 contexts.
CallStream loop_stream(std::size_t calls);
// Loops that call the same few leaf methods: long runs of one depth.
CallStream leaf_stream(std::size_t calls);
// A program of `methods` methods, polymorphic and recursive, on inputs that repeat; a third of its
// sites call two to five methods. More `inputs` give more contexts.
CallStream program_stream(std::string name, std::size_t calls, std::uint64_t seed, unsigned methods,
                          unsigned deepest, double offspring, double inputs);
// 100,000 children of ROOT with 100 children each, visited at random: no cache helps.
CallStream random_stream(std::size_t calls);
// Up and down between 50,000 and 100,000 frames.
CallStream deep_stream(std::size_t calls);

// All streams of this run, in the order they were added. Adding a stream moves them, so register benchmarks, which
// refer to them, afterwards.
const std::vector<CallStream>& streams();
void add_generated_streams(std::size_t calls);
void add_stream(CallStream stream);

// A stream cut into packets with their chains, as a recorder would hand them over.
class PacketTape {
 public:
  explicit PacketTape(const CallStream& stream, std::uint32_t slots = 4096);
  const std::vector<shadowstack::Packet>& packets() const { return packets_; }
  std::vector<shadowstack::Packet>& packets() { return packets_; }

 private:
  std::vector<CallRecord> slots_;
  std::vector<shadowstack::Packet> packets_;
};

}  // namespace copse::bench
