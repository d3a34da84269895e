// Call streams for tests: seeded random ones, and appending them as a probe would.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "base/call_record.h"
#include "shadowstack/packets/recorder.h"
#include "shadowstack/thread_header.h"

namespace copse::test {

using CallStream = std::vector<CallRecord>;

inline CallRecord call(std::uint32_t depth, unsigned site, unsigned method) {
  return call_record(depth, SiteOrdinal{static_cast<std::uint16_t>(site)}, MethodId{method});
}

struct StreamShape {
  std::size_t calls = 5000;
  unsigned methods = 30;
  unsigned sites = 4;
  std::uint32_t deepest = 60;
  double call_chance = 0.45;   // next record is one deeper
  double throw_chance = 0.01;  // next record is anywhere above: an exception was caught
  double gap_chance = 0;       // next record is several frames deeper: unrecorded frames
};

// A random walk over depths, as any sequence of calls, returns and exceptions makes it.
inline CallStream random_stream(std::mt19937_64& random, const StreamShape& shape) {
  std::uniform_real_distribution<double> chance(0, 1);
  const auto below = [&](std::uint64_t bound) {
    return static_cast<std::uint32_t>(random() % bound);
  };
  CallStream stream;
  std::uint32_t depth = 0;
  while (stream.size() < shape.calls) {
    // A few methods are hot, as in real programs.
    const unsigned method = 1 + std::min(below(shape.methods), below(shape.methods));
    stream.push_back(call(depth, depth == 0 ? 0 : below(shape.sites), method));
    const double dice = chance(random);
    if (dice < shape.gap_chance) {
      depth += 2 + below(5);
    } else if (dice < shape.gap_chance + shape.throw_chance) {
      depth = below(depth + 1);
    } else if (dice < shape.gap_chance + shape.throw_chance + shape.call_chance) {
      ++depth;
    } else if (depth > 0 && dice > 0.8) {
      depth -= 1 + below(std::min<std::uint32_t>(depth, 3));
    }
    depth = std::min(depth, shape.deepest);
  }
  return stream;
}

// Goes down to `depth`, back to a frame in the middle, down again, and so on.
inline CallStream recursive_stream(std::mt19937_64& random, std::uint32_t depth, int turns) {
  CallStream stream;
  std::uint32_t at = 0;
  for (int turn = 0; turn < turns; ++turn) {
    for (; at < depth; ++at) stream.push_back(call(at, at == 0 ? 0 : 1, 1 + at % 3));
    at = static_cast<std::uint32_t>(random() % depth);
    stream.push_back(call(at, 2, 7));
    ++at;
  }
  return stream;
}

// Appends a record as instrumented code does.
inline void append(shadowstack::Recorder& recorder, shadowstack::ThreadHeader* header,
                   CallRecord record, std::uint64_t packet_bytes) {
  while (!shadowstack::try_append(*header, record, packet_bytes)) recorder.next_packet(header);
}

// Appends all calls of a thread, from attach to detach.
inline void play(shadowstack::Recorder& recorder, std::int64_t id,
                 std::span<const CallRecord> stream, std::uint64_t packet_bytes) {
  shadowstack::ThreadHeader* header = recorder.attach(id, "player");
  for (const CallRecord record : stream) append(recorder, header, record, packet_bytes);
  recorder.detach(header);
}

}  // namespace copse::test
