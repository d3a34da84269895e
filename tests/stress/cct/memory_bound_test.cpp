// More contexts than a bound has room for, through the recorders that agents use. What is recorded
// is a complete tree of calls, every context once, and between them calls of leaves that are called
// again. COPSE_STRESS_FANOUT sets the size: 5 in ordinary runs, 9 gives 48 million contexts.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>

#include "cct/inplace/inline_trees.h"
#include "cct/packets/engine.h"
#include "cct/tree_check.h"
#include "shadowstack/packets/packet_pool.h"
#include "shadowstack/packets/recorder.h"
#include "support/call_streams.h"
#include "support/inline_probe.h"

namespace copse::cct {
namespace {

constexpr unsigned kLevels = 9;
constexpr unsigned kHotMethod = 1000;
constexpr std::uint64_t kContextsPerHotCall = 64;

unsigned fanout() {
  const char* text = std::getenv("COPSE_STRESS_FANOUT");
  return text == nullptr ? 5 : static_cast<unsigned>(std::atoi(text));
}

std::uint64_t contexts() {
  std::uint64_t all = 0, level = 1;
  for (unsigned i = 0; i < kLevels; ++i, level *= fanout()) all += level;
  return all;
}

// About ten contexts per one that has room.
std::uint64_t bound() { return contexts() * 56 / 5; }

std::uint64_t resident_bytes() {
  std::uint64_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

// Calls `enter(depth, site, method)` and `leave(depth)` for every context, in order of a walk.
template <typename Enter, typename Leave>
void walk(const Enter& enter, const Leave& leave, std::uint64_t& made, unsigned depth = 0,
          unsigned site = 0) {
  enter(depth, site, 1 + depth);
  ++made;
  for (unsigned i = 0; depth + 1 < kLevels && i < fanout(); ++i) {
    walk(enter, leave, made, depth + 1, i);
  }
  leave(depth);
  if (made % kContextsPerHotCall != 0) return;
  ++made;
  enter(depth, 0, kHotMethod);
  leave(depth);
}

void check(const ContextTree& tree, std::uint64_t made, std::uint64_t grown, const char* engine) {
  const Status sound = check_invariants(tree);
  EXPECT_TRUE(sound.ok()) << sound.message();
  EXPECT_EQ(total_calls(tree), made);
  EXPECT_GT(tree.evicted().contexts, contexts() / 2);
  [[maybe_unused]] constexpr std::uint64_t kBeside = std::uint64_t{96}
                                                     << 20;  // packets, delta trees, the allocator
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // whose own memory is more
  EXPECT_LT(grown, bound() + kBeside);
#endif
  std::printf("%s: %llu calls in %u nodes, %llu evicted; bound %llu MiB, resident +%llu MiB\n",
              engine, static_cast<unsigned long long>(made), tree.node_count(),
              static_cast<unsigned long long>(tree.evicted().contexts),
              static_cast<unsigned long long>(bound() >> 20),
              static_cast<unsigned long long>(grown >> 20));
}

TEST(MemoryBound, PacketsOfMoreContextsThanFit) {
  const std::uint64_t before = resident_bytes();
  shadowstack::PacketPool pool({});
  const std::unique_ptr<Engine> engine =
      Engine::make({.workers = 2, .most_nodes = nodes_within(bound())}, pool);
  shadowstack::Recorder recorder(pool, *engine);
  shadowstack::ThreadHeader* header = recorder.attach(1, "walker");
  std::uint64_t made = 0;
  walk(
      [&](unsigned depth, unsigned site, unsigned method) {
        test::append(recorder, header, test::call(depth, site, method), pool.packet_bytes());
      },
      [](unsigned) {}, made);
  recorder.detach(header);
  recorder.close();
  const ContextTree& tree = engine->finish();
  EXPECT_EQ(recorder.calls_lost() + engine->stats().calls_lost, 0u);
  EXPECT_LE(tree.node_count(), nodes_within(bound()));
  check(tree, made, resident_bytes() - before, "parallel");
}

TEST(MemoryBound, TreesInPlaceOfMoreContextsThanFit) {
  const std::uint64_t before = resident_bytes();
  InlineTrees trees(bound(), [](MethodId) { return 16u; });
  shadowstack::ThreadHeader* header = trees.attach(1, "walker");
  test::InlineProbe probe(trees, header);
  std::uint64_t frames[kLevels + 1];
  std::uint64_t made = 0;
  walk(
      [&](unsigned depth, unsigned site, unsigned method) {
        if (depth > 0) probe.call(frames[depth - 1], SiteOrdinal{static_cast<std::uint16_t>(site)});
        frames[depth] = probe.enter(MethodId{method});
      },
      [&](unsigned depth) {
        probe.exit(frames[depth]);
        if (depth > 0) probe.restore(frames[depth - 1]);
      },
      made);
  trees.detach(header);
  trees.close();
  EXPECT_EQ(trees.calls_without_room(), 0u);
  EXPECT_EQ(trees.calls_seen(), made);
  check(trees.tree(), made, resident_bytes() - before, "inline");
}

}  // namespace
}  // namespace copse::cct
