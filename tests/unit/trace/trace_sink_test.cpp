// From probes to a file and back: every record of every thread, whoever wrote it.
#include "trace/trace_sink.h"

#include <gtest/gtest.h>

#include <thread>

#include "shadowstack/packets/recorder.h"
#include "support/call_streams.h"
#include "support/traces.h"

namespace copse::trace {
namespace {

using copse::test::CallStream;
using test::by_thread;
using test::drain;
using test::Drained;
using test::events_of;
using test::TemporaryFile;
using test::trace_of;

std::unique_ptr<TraceWriter> create(const TemporaryFile& file) {
  Result<std::unique_ptr<TraceWriter>> writer = TraceWriter::create(file.path());
  EXPECT_TRUE(writer.ok());
  return std::move(writer).value();
}

TEST(TraceSink, KeepsEveryCallOfEveryThreadInOrder) {
  constexpr int kThreads = 4;
  const TemporaryFile file;
  std::mt19937_64 random(11);
  std::vector<CallStream> streams;
  for (int i = 0; i < kThreads; ++i) {
    streams.push_back(copse::test::random_stream(random, {.calls = 30'000}));
  }
  {
    // A short pool, so that producers have to help.
    shadowstack::PacketPool pool({.slots = 64, .queue_bytes = 4096});
    TraceSink sink(create(file), pool, [] { return std::vector<NameRow>(); });
    shadowstack::Recorder recorder(pool, sink);
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, i] {
        copse::test::play(recorder, 100 + i, streams[static_cast<std::size_t>(i)],
                          pool.packet_bytes());
      });
    }
    for (std::thread& thread : threads) thread.join();
    recorder.close();
    const TraceSink::Finished finished =
        sink.finish({1, recorder.calls_seen(), 0, recorder.packets(), {}, {}, {}});
    EXPECT_TRUE(finished.end_written.ok());
    EXPECT_TRUE(finished.first_failure.ok());
    EXPECT_EQ(finished.calls_lost, 0u);
    EXPECT_EQ(finished.bytes, file.content().size());
  }
  const auto trace = trace_of(file.content());
  const Drained all = drain(*trace);
  EXPECT_EQ(all.error, "");
  ASSERT_EQ(trace->threads().size(), std::size_t{kThreads});
  const auto events = by_thread(all);
  for (const ThreadInfo& thread : trace->threads()) {
    std::vector<Event> expected =
        events_of(streams[static_cast<std::size_t>(thread.runtime_id - 100)]);
    expected.push_back({EventKind::kThreadEnd});
    EXPECT_EQ(events.at(raw(thread.index)), expected);
    EXPECT_EQ(thread.name, "player");
  }
}

TEST(TraceSink, ThreadsThatStillRunAtTheEndGiveWhatTheyHave) {
  const TemporaryFile file;
  const CallStream stream = {copse::test::call(0, 0, 1), copse::test::call(1, 1, 2)};
  {
    shadowstack::PacketPool pool({.slots = 64});
    TraceSink sink(create(file), pool, [] { return std::vector<NameRow>(); });
    shadowstack::Recorder recorder(pool, sink);
    shadowstack::ThreadHeader* header = recorder.attach(1, "daemon");
    for (const CallRecord record : stream) {
      copse::test::append(recorder, header, record, pool.packet_bytes());
    }
    recorder.rename(header, "renamed");
    recorder.close();
    EXPECT_TRUE(sink.finish({}).end_written.ok());
  }
  const auto trace = trace_of(file.content());
  EXPECT_EQ(by_thread(drain(*trace)).at(0), events_of(stream));
  EXPECT_EQ(trace->threads().at(0).name, "renamed");
}

TEST(TraceSink, NamesComeBeforeTheFirstPacketThatNeedsThem) {
  const TemporaryFile file;
  shadowstack::PacketPool pool({.slots = 8});
  std::uint32_t next = 0;
  TraceSink sink(create(file), pool, [&next] {
    NameRow row;
    row.id = MethodId{++next};
    row.name.name = "m";
    return std::vector<NameRow>{row};
  });
  shadowstack::Recorder recorder(pool, sink);
  shadowstack::ThreadHeader* header = recorder.attach(1, "t");
  for (std::uint32_t i = 0; i < 70; ++i) {
    copse::test::append(recorder, header, copse::test::call(0, 0, 1 + i / 7), pool.packet_bytes());
  }
  recorder.close();
  EXPECT_TRUE(sink.finish({}).end_written.ok());
  const auto trace = trace_of(file.content());
  for (auto batch = trace->next(); batch.ok() && batch->has_value(); batch = trace->next()) {
    for (const Event& event : (*batch)->events) {
      EXPECT_LT(raw(method_of(event.value)), trace->methods().size());
    }
  }
  EXPECT_EQ(trace->methods().size(), 11u);
}

}  // namespace
}  // namespace copse::trace
