// Recordings in place that follow each other in one process, whose probes find nodes by number from one address.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "cct/inplace/inline_trees.h"
#include "support/call_streams.h"
#include "support/inline_probe.h"
#include "support/plenty.h"
#include "support/reference_tree.h"

namespace copse::cct {
namespace {

using test::CallStream;
using test::eight_sites;
using test::InlineProbe;
using test::kPlenty;
using test::ReferenceTree;
using test::tree_text;

constexpr std::uint32_t kSites = 8;

std::unique_ptr<InlineTrees> recording(InlineTrees* before, std::uint64_t most_bytes = kPlenty) {
  return std::make_unique<InlineTrees>(most_bytes, eight_sites, shadowstack::anonymous_memory(),
                                       RecursionOptions{}, before);
}

std::string truth(const CallStream& stream) {
  ReferenceTree tree;
  tree.add(stream);
  return tree.text();
}

// The address of a site's slot in a frame, which the thread's word is when the frame calls.
std::uint64_t slot_of(std::uint64_t frame, std::uint32_t site) {
  return frame + kInlineSlots + site * kInlineSlotBytes;
}

std::uint32_t shown_in(std::uint64_t slot) { return *reinterpret_cast<const std::uint32_t*>(slot); }

TEST(InlineRecordings, NumberTheirNodesFromOneAddress) {
  std::vector<std::unique_ptr<InlineTrees>> recordings;
  std::mt19937_64 random(3);
  for (int i = 0; i < 20; ++i) {
    recordings.push_back(recording(i == 0 ? nullptr : recordings.back().get()));
    InlineTrees& trees = *recordings.back();
    EXPECT_EQ(trees.node_base(), recordings.front()->node_base());
    const CallStream stream = test::random_stream(random, {});
    InlineProbe(trees, trees.attach(i, "player")).run(stream);
    trees.close();
    EXPECT_EQ(tree_text(trees.tree()), truth(stream)) << i;
  }
}

// Frames of the first recording go on calling in the second, each call through its own slot.
TEST(InlineRecordings, CountCallsFromFramesOfARecordingBeforeUnderRoot) {
  const auto first = recording(nullptr);
  InlineProbe old_probe(*first, first->attach(1, "main"));
  const std::uint64_t old_frame = old_probe.enter(MethodId{1});
  old_probe.call(old_frame, SiteOrdinal{2});
  old_probe.exit(old_probe.enter(MethodId{5}));
  old_probe.restore(old_frame);
  first->close();

  const auto second = recording(first.get());
  EXPECT_EQ(shown_in(slot_of(old_frame, 2)), 0u) << "calls would count in the first";
  shadowstack::ThreadHeader* header = second->attach(1, "main");
  InlineProbe probe(*second, header);
  for (int round = 0; round < 3; ++round) {
    for (const std::uint32_t method : {5u, 6u}) {
      probe.call(old_frame, SiteOrdinal{2});
      const std::uint64_t frame = probe.enter(MethodId{method});
      probe.call(frame, SiteOrdinal{1});
      probe.exit(probe.enter(MethodId{7}));
      probe.exit(frame);
    }
  }
  EXPECT_NE(shown_in(slot_of(old_frame, 2)), 0u) << "every call would come to the slow path";
  second->close();
  EXPECT_EQ(tree_text(second->tree()), "0 5@0 3\n1 7@1 3\n0 6@0 3\n1 7@1 3\n");
  EXPECT_EQ(first->calls_seen(), 2u);
}

TEST(InlineRecordings, ShowNothingOfATreeThatShrankInFramesOfARecordingBefore) {
  const auto first = recording(nullptr);
  InlineProbe old_probe(*first, first->attach(1, "main"));
  const std::uint64_t old_frame = old_probe.enter(MethodId{1});
  first->close();

  const auto second = recording(first.get(), 64 << 10);
  shadowstack::ThreadHeader* header = second->attach(1, "main");
  InlineProbe probe(*second, header);
  std::uint64_t calls = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    std::mt19937_64 random(seed);
    const CallStream stream = test::random_stream(random, {});
    header->word = slot_of(old_frame, seed % kSites);
    probe.run(stream);
    calls += stream.size();
  }
  second->close();
  EXPECT_EQ(probe.frames_spoiled(), 0u);
  EXPECT_EQ(second->calls_seen(), calls);
  EXPECT_EQ(second->calls_without_room(), 0u);
}

// The shared empty node has one slot per site for all threads.
TEST(InlineRecordings, ShowNoThreadsCalleesInNobodysFramesOfARecordingBefore) {
  const auto first = recording(nullptr);
  shadowstack::ThreadHeader* header = first->attach(1, "main");
  first->close();
  const std::uint64_t unowned = header->unowned;

  const auto second = recording(first.get());
  for (const std::int64_t id : {1, 2}) {
    shadowstack::ThreadHeader* thread = second->attach(id, "thread");
    InlineProbe probe(*second, thread);
    probe.call(unowned, SiteOrdinal{3});
    probe.exit(probe.enter(MethodId{4}));
    EXPECT_EQ(shown_in(slot_of(unowned, 3)), 0u);
  }
  second->close();
  EXPECT_EQ(tree_text(second->tree()), "0 4@0 2\n");
  EXPECT_EQ(second->threads().size(), 2u);
}

// A frame from before the first recording has the frame 0, and leaves its call sites' offsets in the word.
TEST(InlineRecordings, CountCallsFromNumbersThatAreNoSlotsUnderRoot) {
  std::vector<std::unique_ptr<InlineTrees>> recordings;
  for (int i = 0; i < 3; ++i) {
    recordings.push_back(recording(i == 0 ? nullptr : recordings.back().get()));
    InlineTrees& trees = *recordings.back();
    shadowstack::ThreadHeader* header = trees.attach(i, "main");
    for (const std::uint64_t number :
         {std::uint64_t{0}, std::uint64_t{0x14}, trees.node_base() - 4}) {
      const std::uint64_t node = trees.place(header, number, MethodId{4});
      ++reinterpret_cast<InlineNode*>(node)->calls;
      EXPECT_EQ(reinterpret_cast<InlineNode*>(node)->entry, InlineTrees::entry(header));
    }
    trees.close();
    EXPECT_EQ(tree_text(trees.tree()), "0 4@0 3\n") << i;
  }
}

}  // namespace
}  // namespace copse::cct
