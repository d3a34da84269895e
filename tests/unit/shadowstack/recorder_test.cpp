#include "shadowstack/packets/recorder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "support/call_streams.h"
#include "support/packet_sinks.h"
#include "support/scarce_memory.h"

namespace copse::shadowstack {
namespace {

using test::call;

class RecorderTest : public testing::Test {
 protected:
  void append(ThreadHeader* header, CallRecord record) {
    test::append(recorder_, header, record, pool_.packet_bytes());
  }

  PacketPool pool_{{.slots = 8, .queue_bytes = 1 << 16}};
  test::KeepingSink sink_{pool_};
  Recorder recorder_{pool_, sink_};
};

TEST_F(RecorderTest, FreshHeaderMakesTheFirstProbeTakeTheSlowPath) {
  ThreadHeader* header = recorder_.attach(1, "one");
  EXPECT_EQ(header->cursor, 0u);
  EXPECT_EQ(header->word, 0u);
  EXPECT_FALSE(try_append(*header, call(0, 0, 1), pool_.packet_bytes()));
  const std::uint64_t cursor = recorder_.next_packet(header);
  EXPECT_EQ(cursor, header->cursor);
  EXPECT_EQ(cursor % pool_.packet_bytes(), sizeof(CallRecord)) << "slot 1";
}

TEST_F(RecorderTest, HandsOverFullPacketsInOrderAndTheTailAtTheEnd) {
  ThreadHeader* header = recorder_.attach(1, "one");
  std::vector<CallRecord> all;
  for (unsigned i = 0; i < 23; ++i) {
    all.push_back(call(i % 4, i % 3, 1 + i));
    append(header, all.back());
  }
  EXPECT_EQ(sink_.kept().size(), 3u);  // of 7 records each
  recorder_.detach(header);
  ASSERT_EQ(sink_.kept().size(), 4u);
  EXPECT_EQ(sink_.records_of(ThreadIndex{0}), all);
  EXPECT_EQ(sink_.kept()[3].records.size(), 2u);
  EXPECT_EQ(sink_.kept()[3].first_call, 21u);
  EXPECT_EQ(recorder_.calls_seen(), 23u);
  EXPECT_EQ(recorder_.packets(), 4u);
}

TEST_F(RecorderTest, PacketsCarryTheFramesBeforeThem) {
  ThreadHeader* header = recorder_.attach(1, "one");
  for (std::uint32_t depth = 0; depth < 20; ++depth) append(header, call(depth, 1, 1 + depth));
  recorder_.detach(header);
  ASSERT_EQ(sink_.kept().size(), 3u);
  EXPECT_EQ(sink_.kept()[0].start.top(), nullptr);
  EXPECT_EQ(sink_.kept()[2].start.key_at(13), key_of(call(0, 1, 14)));
  EXPECT_EQ(sink_.kept()[2].start.key_at(14), 0u);
  EXPECT_EQ(sink_.kept()[2].min_depth, 14u);
}

TEST_F(RecorderTest, RecycledHeadersAreClean) {
  ThreadHeader* first = recorder_.attach(1, "one");
  for (std::uint32_t depth = 0; depth < 10; ++depth) append(first, call(depth, 1, 1));
  first->word = call(9, 1, 0);
  recorder_.detach(first);
  ThreadHeader* second = recorder_.attach(2, "two");
  ASSERT_EQ(second, first);
  EXPECT_EQ(second->cursor, 0u);
  EXPECT_EQ(second->word, 0u);
  append(second, call(0, 0, 5));
  recorder_.detach(second);
  EXPECT_EQ(sink_.kept().back().start.top(), nullptr) << "no frame of the thread before";
  EXPECT_EQ(sink_.kept().back().first_call, 0u);
}

TEST_F(RecorderTest, ManyShortThreadsUseOneHeaderAndFewPackets) {
  std::set<ThreadHeader*> headers;
  for (int i = 0; i < 10'000; ++i) {
    ThreadHeader* header = recorder_.attach(i, "short");
    headers.insert(header);
    append(header, call(0, 0, 1));
    recorder_.detach(header);
    while (sink_.help()) {
    }
  }
  EXPECT_EQ(headers.size(), 1u);
  EXPECT_EQ(recorder_.threads().size(), 10'000u);
  EXPECT_LT(pool_.memory_bytes(), 1u << 20);
}

TEST_F(RecorderTest, ListsThreadsThatMadeCalls) {
  ThreadHeader* silent = recorder_.attach(7, "silent");
  ThreadHeader* one = recorder_.attach(8, "one");
  ThreadHeader* other = recorder_.attach(9, "other");
  for (unsigned i = 0; i < 9; ++i) append(one, call(1, 3, 4));
  append(one, call(0, 0, 6));
  append(one, call(0, 0, 7));
  append(other, call(0, 0, 5));
  recorder_.rename(one, "renamed");
  recorder_.detach(silent);
  recorder_.detach(other);
  recorder_.close();
  const std::vector<ThreadRow> rows = recorder_.threads();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].runtime_id, 8);
  EXPECT_EQ(rows[0].name, "renamed");
  EXPECT_EQ(rows[0].calls, 11u);
  EXPECT_EQ(rows[0].first_key, key_of(call(0, 0, 6)));
  EXPECT_EQ(rows[1].index, ThreadIndex{2});
  EXPECT_EQ(rows[1].first_key, key_of(call(0, 0, 5)));
}

TEST_F(RecorderTest, OfVeryManyParkedThreadsFewHoldPackets) {
  constexpr int kThreads = 2'000;
  std::vector<ThreadHeader*> headers;
  for (int i = 0; i < kThreads; ++i) {
    headers.push_back(recorder_.attach(i, ""));
    append(headers.back(), call(0, 0, 1));
    append(headers.back(), call(1, 2, 3));
    recorder_.park(headers.back());
  }
  EXPECT_NE(headers.front()->cursor, 0u) << "few threads keep theirs";
  EXPECT_EQ(headers.back()->cursor, 0u);
  EXPECT_LT(pool_.memory_bytes(), kThreads * pool_.packet_bytes() / 2);
  for (ThreadHeader* header : headers) {
    append(header, call(2, 4, 5));
    recorder_.detach(header);
  }
  for (int i = 0; i < kThreads; ++i) {
    ASSERT_EQ(sink_.records_of(ThreadIndex{static_cast<std::uint32_t>(i)}),
              (std::vector<CallRecord>{call(0, 0, 1), call(1, 2, 3), call(2, 4, 5)}));
  }
  const auto& last = sink_.kept().back();
  EXPECT_EQ(last.start.key_at(1), key_of(call(1, 2, 3))) << "the frames are kept";
  EXPECT_EQ(last.first_call, 2u);
  EXPECT_EQ(recorder_.calls_seen(), kThreads * 3u);
  EXPECT_EQ(recorder_.calls_lost(), 0u);
  ASSERT_EQ(recorder_.threads().size(), 1u);
  EXPECT_EQ(recorder_.threads()[0].calls, kThreads * 3u);
}

TEST_F(RecorderTest, ParkingAThreadThatAppendedNothingChangesNothing) {
  for (int i = 0; i < 100; ++i) pool_.add_holder();
  ASSERT_TRUE(pool_.has_many_holders());
  ThreadHeader* header = recorder_.attach(1, "one");
  recorder_.park(header);
  append(header, call(0, 0, 1));
  recorder_.park(header);
  recorder_.park(header);
  recorder_.close();
  append(header, call(0, 0, 2));
  recorder_.park(header);
  EXPECT_EQ(sink_.records_of(ThreadIndex{0}), std::vector<CallRecord>{call(0, 0, 1)});
  EXPECT_EQ(recorder_.calls_seen(), 1u);
  EXPECT_EQ(recorder_.packets(), 1u);
}

TEST_F(RecorderTest, CloseTakesPartialPacketsAndLaterRecordsDoNotCount) {
  ThreadHeader* header = recorder_.attach(1, "one");
  for (unsigned i = 0; i < 10; ++i) append(header, call(0, 0, 1));
  recorder_.close();
  EXPECT_EQ(sink_.records_of(ThreadIndex{0}).size(), 10u);
  for (unsigned i = 0; i < 100; ++i) append(header, call(0, 0, 2));
  ThreadHeader* late = recorder_.attach(2, "late");
  for (unsigned i = 0; i < 20; ++i) append(late, call(0, 0, 3));
  recorder_.detach(late);
  recorder_.detach(header);
  recorder_.close();
  EXPECT_EQ(sink_.records_of(ThreadIndex{0}).size(), 10u);
  EXPECT_EQ(recorder_.calls_seen(), 10u);
  EXPECT_EQ(recorder_.calls_lost(), 0u);
  EXPECT_EQ(recorder_.threads().size(), 1u);
}

TEST_F(RecorderTest, CloseTakesAPacketThatIsExactlyFull) {
  ThreadHeader* header = recorder_.attach(1, "one");
  for (unsigned i = 0; i < 7; ++i) append(header, call(0, 0, 1 + i));
  ASSERT_EQ(header->cursor % pool_.packet_bytes(), 0u);
  recorder_.close();
  EXPECT_EQ(sink_.records_of(ThreadIndex{0}).size(), 7u);
}

TEST_F(RecorderTest, LeavesThreadsInPeaceThatGoOnAfterAFlushAndTheEnd) {
  ThreadHeader* ends = recorder_.attach(1, "ends");
  ThreadHeader* waits = recorder_.attach(2, "waits");
  for (ThreadHeader* header : {ends, waits}) {
    for (unsigned i = 0; i < 5; ++i) append(header, call(0, 0, 1 + i));
  }
  recorder_.flush();
  recorder_.close();
  for (ThreadHeader* header : {ends, waits}) {
    for (unsigned i = 0; i < 10; ++i) append(header, call(0, 0, 100 + i));
  }
  recorder_.park(waits);
  recorder_.detach(ends);
  EXPECT_EQ(recorder_.calls_seen(), 10u);
  EXPECT_EQ(sink_.records_of(ThreadIndex{0}).size(), 5u);
  EXPECT_EQ(sink_.records_of(ThreadIndex{1}).size(), 5u);
}

TEST(RecorderWithoutMemory, CountsEveryRecordItCannotKeep) {
  test::ScarceMemory memory(100);
  PacketPool pool({.slots = 8, .memory = &memory});
  test::KeepingSink sink(pool);
  Recorder recorder(pool, sink);
  ThreadHeader* header = recorder.attach(1, "one");
  memory.refill(0);
  for (unsigned i = 0; i < 40; ++i)
    test::append(recorder, header, call(i % 5, 0, 1), pool.packet_bytes());
  recorder.detach(header);
  EXPECT_EQ(recorder.calls_seen(), 40u);
  EXPECT_EQ(recorder.calls_lost(), 40u);
  EXPECT_TRUE(sink.kept().empty());
}

TEST(RecorderWithoutMemory, FollowsTheFramesOfALostPacketAndLeavesAGapInTheSequence) {
  class UnhelpfulSink : public test::KeepingSink {
   public:
    using KeepingSink::KeepingSink;
    bool help() noexcept override { return false; }
  };
  test::ScarceMemory memory(100);
  PacketPool pool({.slots = 8, .queue_bytes = 1, .memory = &memory});
  UnhelpfulSink sink(pool);
  Recorder recorder(pool, sink);
  ThreadHeader* header = recorder.attach(1, "one");
  memory.refill(3);  // two packets, one for the queue, one for the thread; what they are; frames
  for (std::uint32_t depth = 0; depth < 22; ++depth) {
    if (depth == 21) memory.refill(10);  // the second packet is lost, the third finds memory again
    test::append(recorder, header, call(depth, 0, 1 + depth), pool.packet_bytes());
  }
  recorder.detach(header);
  EXPECT_EQ(recorder.calls_seen(), 22u);
  EXPECT_EQ(recorder.calls_lost(), 7u);
  ASSERT_EQ(sink.kept().size(), 3u);
  EXPECT_EQ(sink.kept()[1].sequence, 2u) << "the packet before it was never handed over";
  EXPECT_EQ(sink.kept()[1].first_call, 14u);
  EXPECT_EQ(sink.kept()[1].start.key_at(13), key_of(call(0, 0, 14)));
}

TEST(RecorderWithoutMemory, ResumesWhereTheFramesAreKnownAgain) {
  test::ScarceMemory memory(100);
  PacketPool pool({.slots = 8, .memory = &memory});
  test::KeepingSink sink(pool);
  Recorder recorder(pool, sink);
  ThreadHeader* header = recorder.attach(1, "one");
  memory.refill(0);
  const auto append = [&](CallRecord record) {
    test::append(recorder, header, record, pool.packet_bytes());
  };
  for (std::uint32_t depth = 0; depth < 7; ++depth) append(call(depth, 0, 1));  // nowhere to go
  memory.refill(100);
  for (std::uint32_t depth = 7; depth < 14; ++depth) append(call(depth, 0, 1));  // callers unknown
  for (std::uint32_t depth = 0; depth < 7; ++depth)
    append(call(depth, 0, 2));  // known from here on
  for (std::uint32_t depth = 7; depth < 10; ++depth) append(call(depth, 0, 3));
  recorder.detach(header);
  EXPECT_EQ(recorder.calls_seen(), 24u);
  EXPECT_EQ(recorder.calls_lost(), 21u);
  ASSERT_EQ(sink.kept().size(), 1u);
  EXPECT_EQ(sink.kept()[0].start.key_at(6), key_of(call(0, 0, 2)));
}

}  // namespace
}  // namespace copse::shadowstack
