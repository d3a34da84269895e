// Where a thread stands among the records of its packets.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "shadowstack/packets/recorder.h"
#include "support/call_streams.h"
#include "support/packet_sinks.h"

namespace copse::shadowstack {
namespace {

using test::call;
using Keys = std::vector<ContextKey>;

class RecorderPathTest : public testing::Test {
 protected:
  ThreadHeader* attach() {
    ThreadHeader* header = recorder_.attach(1, "one");
    return header;
  }
  void append(ThreadHeader* header, CallRecord record) {
    test::append(recorder_, header, record, pool_.packet_bytes());
    while (sink_.help()) {
    }
  }
  // Calls the method, which keeps a frame, and stands in it then.
  void enter(ThreadHeader* header, CallRecord record) {
    append(header, record);
    header->word = call(depth_of(record) + 1, 0, 0);
  }
  Recorder::Path find(const ThreadHeader* header, const ThreadPlace& place) {
    return recorder_.path_of(
        *header, place, [](MethodId, SiteOrdinal, MethodId callee) { return callee == kLeaf; },
        path_, thread_);
  }
  Recorder::Path find(const ThreadHeader* header) {
    return find(header, place_of(*header, header->word));
  }

  static constexpr MethodId kLeaf{99};
  PacketPool pool_{{.slots = 8, .queue_bytes = 1 << 16}};
  test::KeepingSink sink_{pool_};
  Recorder recorder_{pool_, sink_};
  Keys path_;
  ThreadIndex thread_{};
};

TEST_F(RecorderPathTest, IsThatOfTheCallsThatHaveNotReturned) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    ThreadHeader* header = attach();
    std::map<std::uint32_t, ContextKey> live;
    for (const CallRecord record :
         test::random_stream(random, {.calls = 2000, .gap_chance = 0.02})) {
      if (random() % 50 == 0) recorder_.flush();
      enter(header, record);
      live.erase(live.lower_bound(depth_of(record)), live.end());
      live[depth_of(record)] = key_of(record);
      // Some of the frames return before it is looked at.
      const auto below = static_cast<std::uint32_t>(random() % (depth_of(record) + 2));
      Keys expected;
      for (const auto& [depth, key] : live) {
        if (depth < below) expected.push_back(key);
      }
      ASSERT_EQ(find(header, place_of(*header, call(below, 0, 0))), Recorder::Path::kKnown);
      ASSERT_EQ(path_, expected);
    }
    recorder_.detach(header);
  }
}

TEST_F(RecorderPathTest, HasTheLeafThatItsCallersCallSiteCalls) {
  ThreadHeader* header = attach();
  enter(header, call(0, 0, 1));
  header->word = call(1, 3, 0);
  EXPECT_EQ(find(header), Recorder::Path::kKnown);
  EXPECT_EQ(path_, Keys{call(0, 0, 1)}) << "not called yet";
  append(header, call(1, 3, raw(kLeaf)));
  EXPECT_EQ(find(header), Recorder::Path::kKnown);
  EXPECT_EQ(path_, (Keys{call(0, 0, 1), key_of(call(1, 3, raw(kLeaf)))}));
  header->word = call(1, 0, 0);
  EXPECT_EQ(find(header), Recorder::Path::kKnown);
  EXPECT_EQ(path_, Keys{call(0, 0, 1)}) << "it has returned";
  append(header, call(1, 3, 7));
  header->word = call(1, 3, 0);
  EXPECT_EQ(find(header), Recorder::Path::kKnown);
  EXPECT_EQ(path_, Keys{call(0, 0, 1)}) << "a method that keeps a frame has returned";
}

TEST_F(RecorderPathTest, HasTheMethodThatTheWordNames) {
  ThreadHeader* header = attach();
  enter(header, call(0, 0, 1));
  EXPECT_EQ(find(header, place_of(*header, call(1, 2, 5))), Recorder::Path::kKnown);
  EXPECT_EQ(path_, (Keys{call(0, 0, 1), key_of(call(1, 2, 5))}));
}

TEST_F(RecorderPathTest, IsKnownWhateverWasHandedOverOfThePacketMeanwhile) {
  ThreadHeader* header = attach();
  for (std::uint32_t depth = 0; depth < 8; ++depth) enter(header, call(depth, 0, 1 + depth));
  enter(header, call(8, 0, 9));
  const ThreadPlace ninth = place_of(*header, header->word);
  enter(header, call(3, 0, 10));
  for (int flushes = 0; flushes < 2; ++flushes) {
    recorder_.flush();
    EXPECT_EQ(find(header, ninth), Recorder::Path::kKnown);
    EXPECT_EQ(path_.size(), 9u) << "of a frame that has returned";
    EXPECT_EQ(find(header), Recorder::Path::kKnown);
    EXPECT_EQ(path_, (Keys{call(0, 0, 1), call(0, 0, 2), call(0, 0, 3), call(0, 0, 10)}));
    enter(header, call(3, 0, 10));
  }
}

TEST_F(RecorderPathTest, OfAPlaceFromWhileThePacketsChangedIsThatOfItsEnd) {
  ThreadHeader* header = attach();
  std::vector<ThreadPlace> told;
  recorder_.before_packets_go([&](const ThreadHeader& of) {
    EXPECT_EQ(&of, header);
    told.push_back(place_of(of, of.word));
  });
  for (std::uint32_t depth = 0; depth < 7; ++depth) enter(header, call(depth, 0, 1 + depth));
  const ThreadPlace full = place_of(*header, header->word);
  told.clear();
  append(header, call(7, 0, 8));
  ASSERT_EQ(told, std::vector{full}) << "told before it is too late";
  // As a signal between that and the new packet would have it.
  EXPECT_EQ(find(header, full), Recorder::Path::kKnown);
  EXPECT_EQ(path_.size(), 7u);
  recorder_.flush();
  EXPECT_EQ(find(header, full), Recorder::Path::kKnown)
      << "whatever was handed over of the new one";
  EXPECT_EQ(path_.size(), 7u);
  for (std::uint32_t depth = 8; depth < 23; ++depth) enter(header, call(depth, 0, 1 + depth));
  EXPECT_EQ(find(header, full), Recorder::Path::kLost) << "packets ago";
  EXPECT_EQ(find(header), Recorder::Path::kKnown);
  EXPECT_EQ(path_.size(), 23u);
}

TEST_F(RecorderPathTest, IsNoneWhereNoCallWasMadeAndAfterTheEnd) {
  ThreadHeader* header = attach();
  EXPECT_EQ(find(header), Recorder::Path::kNoCalls);
  enter(header, call(0, 0, 1));
  const ThreadPlace there = place_of(*header, header->word);
  EXPECT_EQ(find(header, there), Recorder::Path::kKnown);
  recorder_.close();
  EXPECT_EQ(find(header, there), Recorder::Path::kEnded);
  recorder_.detach(header);
  EXPECT_EQ(find(header, there), Recorder::Path::kEnded);
}

}  // namespace
}  // namespace copse::shadowstack
