// The binary form: what goes in comes out, damage is said with its place, and nothing before it is
// lost.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>

#include "shadowstack/packets/packet_pool.h"
#include "support/call_streams.h"
#include "support/expect_fault.h"
#include "support/traces.h"
#include "trace/trace_writer.h"

namespace copse::trace {
namespace {

using copse::test::call;
using copse::test::CallStream;
using test::by_thread;
using test::drain;
using test::Drained;
using test::events_of;
using test::TemporaryFile;
using test::trace_of;

// A thread's records as packets, as a recorder would hand them over.
class Packets {
 public:
  Packets(ThreadIndex thread, CallStream records, std::size_t per_packet) {
    shadowstack::FrameChain chain;
    for (std::size_t at = 0; at < records.size(); at += per_packet) {
      const std::size_t count = std::min(per_packet, records.size() - at);
      CallStream& slots = slots_.emplace_back(count + 1);
      std::copy_n(records.begin() + static_cast<std::ptrdiff_t>(at), count, slots.begin() + 1);
      shadowstack::Packet packet;
      packet.slots = slots.data();
      packet.count = static_cast<std::uint32_t>(count);
      packet.thread = thread;
      packet.sequence = packets_.size();
      packet.first_call = at;
      packet.start = chain;
      shadowstack::FrameChain after;
      EXPECT_TRUE(chain.advance(packet.records(), after, packet.min_depth));
      chain = after;
      packets_.push_back(packet);
    }
  }
  const std::vector<shadowstack::Packet>& all() const { return packets_; }

 private:
  std::vector<CallStream> slots_;
  std::vector<shadowstack::Packet> packets_;
};

std::unique_ptr<TraceWriter> create(const TemporaryFile& file) {
  Result<std::unique_ptr<TraceWriter>> writer = TraceWriter::create(file.path());
  EXPECT_TRUE(writer.ok());
  return std::move(writer).value();
}

std::string written(const std::vector<shadowstack::Packet>& packets, EndInfo end = {}) {
  const TemporaryFile file;
  const auto writer = create(file);
  for (const shadowstack::Packet& packet : packets) EXPECT_TRUE(writer->write_packet(packet).ok());
  EXPECT_TRUE(writer->finish(std::move(end)).ok());
  EXPECT_EQ(writer->calls_lost(), 0u);
  const std::string bytes = file.content();
  EXPECT_EQ(writer->bytes(), bytes.size());
  return bytes;
}

CallStream small_stream() {
  return {call(0, 0, 1), call(1, 1, 2), call(2, 1, 3), call(1, 2, 3), call(0, 0, 4)};
}

TEST(BinaryTrace, PacketsComeBackAsCallsAndReturns) {
  const Packets packets(ThreadIndex{3}, small_stream(), 2);
  const auto trace = trace_of(written(packets.all()));
  const Drained all = drain(*trace);
  EXPECT_EQ(all.error, "");
  EXPECT_EQ(by_thread(all).at(3), events_of(small_stream()));
  EXPECT_EQ(trace->calls_found_again(), 0u);
}

TEST(BinaryTrace, RandomStreamsComeBackWhateverThePacketSize) {
  std::mt19937_64 random(7);
  for (const double gaps : {0.0, 0.05}) {
    for (const std::size_t per_packet : {1u, 7u, 4095u, 65535u}) {
      const CallStream stream = copse::test::random_stream(
          random, {.calls = 20'000, .methods = 900, .sites = 40, .gap_chance = gaps});
      const Packets packets(ThreadIndex{0}, stream, per_packet);
      const Drained all = drain(*trace_of(written(packets.all())));
      EXPECT_EQ(all.error, "");
      EXPECT_EQ(by_thread(all).at(0), events_of(stream)) << gaps << ' ' << per_packet;
    }
  }
}

TEST(BinaryTrace, DeepRecursionAndLargestIdsComeBack) {
  std::mt19937_64 random(8);
  CallStream stream = copse::test::recursive_stream(random, 30'000, 5);
  stream.push_back(call(0, 0xffff, kMaxMethodId));
  stream.push_back(call(kMaxDepth, 0xffff, kMaxMethodId - 1));
  stream.push_back(call(kMaxDepth - 1, 1, 1));
  const Packets packets(ThreadIndex{0xffff'ffff}, stream, 4095);
  const Drained all = drain(*trace_of(written(packets.all())));
  EXPECT_EQ(all.error, "");
  EXPECT_EQ(by_thread(all).at(0xffff'ffff), events_of(stream));
}

TEST(BinaryTrace, AfterALostPacketTheFramesOfItsChainAreFoundAgain) {
  const CallStream stream = {call(0, 0, 1), call(1, 1, 2), call(2, 5, 9),
                             call(2, 1, 3), call(3, 1, 4), call(3, 2, 5)};
  Packets packets(ThreadIndex{0}, stream, 2);
  const std::vector<shadowstack::Packet> kept = {packets.all()[0], packets.all()[2]};
  const auto trace = trace_of(written(kept));
  const std::vector<Event> expected = {
      {EventKind::kThreadStart},
      {EventKind::kCall, kNoMethod, key_of(stream[0])},
      {EventKind::kCall, MethodId{1}, key_of(stream[1])},
      {EventKind::kCall, MethodId{2}, key_of(stream[3])},  // its record was in the lost packet
      {EventKind::kCall, MethodId{3}, key_of(stream[4])},
      {EventKind::kReturn, kNoMethod, 1},
      {EventKind::kCall, MethodId{3}, key_of(stream[5])},
  };
  EXPECT_EQ(by_thread(drain(*trace)).at(0), expected);
  EXPECT_EQ(trace->calls_found_again(), 1u);
}

TEST(BinaryTrace, StableNamesOfClassesComeBack) {
  const TemporaryFile file;
  std::vector<NameRow> rows;
  for (const char* stable : {"", "p.A$*~f~000000000000", "p.A$*~f~000000000001", "", "p.B$*~~2"}) {
    MethodName name{"p.A$1", "f", "()V", "A.java", "app", {{3, 10}}};
    name.stable_class = stable;
    rows.push_back({MethodId{static_cast<std::uint32_t>(rows.size() + 1)}, true, name});
  }
  {
    const auto writer = create(file);
    EXPECT_TRUE(writer->write_names(rows).ok());
    EXPECT_TRUE(writer->finish({}).ok());
  }
  const auto trace = trace_of(file.content());
  EXPECT_EQ(drain(*trace).error, "");
  ASSERT_EQ(trace->methods().size(), rows.size() + 1);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(trace->methods()[i + 1].stable_class, rows[i].name.stable_class);
    EXPECT_EQ(trace->methods()[i + 1].loader, "app");
    EXPECT_EQ(trace->methods()[i + 1].sites.size(), 1u);
  }
}

TEST(BinaryTrace, TablesComeBack) {
  const TemporaryFile file;
  const ProgramInfo program{{"java", "-jar", ""}, -5, "VM", "now", {{"jdk", "true"}, {"a", ""}}};
  const MethodName first{"pkg.A", "f", "()V", "A.java", "app", {{3, 10}, {900, -1}}};
  const MethodName second{"pkg.A", "<init>", "(I)V", "A.java", "app", {}};
  const ThreadInfo thread{ThreadIndex{2}, -77, "worker"};
  EndInfo end{12.5, 10, 3, 4, {{ThreadIndex{2}, 10}}, {}, {"A note.", ""}};
  for (int i = 0; i < 2500; ++i) end.skipped.push_back({"p.C" + std::to_string(i), "", "jsr"});
  {
    const auto writer = create(file);
    EXPECT_TRUE(writer->write_program(program).ok());
    const NameRow rows[] = {{MethodId{1}, true, first}, {MethodId{2}, true, second}};
    EXPECT_TRUE(writer->write_names(rows).ok());
    EXPECT_TRUE(writer->write_thread({ThreadChange::kStart, {ThreadIndex{2}, -77, "old"}}).ok());
    MethodName more;
    more.sites = {{7, 8}};
    const NameRow later[] = {{MethodId{1}, false, more}};
    EXPECT_TRUE(writer->write_names(later).ok());
    EXPECT_TRUE(writer->write_thread({ThreadChange::kName, thread}).ok());
    EXPECT_TRUE(writer->write_thread({ThreadChange::kEnd, thread}).ok());
    EXPECT_TRUE(writer->finish(end).ok());
  }
  const auto trace = trace_of(file.content());
  const Drained all = drain(*trace);
  EXPECT_EQ(all.error, "");
  const std::vector<Event> life = {{EventKind::kThreadStart}, {EventKind::kThreadEnd}};
  EXPECT_EQ(by_thread(all).at(2), life);
  EXPECT_EQ(trace->program(), program);
  EXPECT_EQ(trace->end(), end);
  EXPECT_EQ(trace->threads(), std::vector<ThreadInfo>{thread});
  ASSERT_EQ(trace->methods().size(), 3u);
  EXPECT_EQ(trace->methods()[1].class_name, "pkg.A");
  EXPECT_EQ(trace->methods()[2].name, "<init>");
  ASSERT_EQ(trace->methods()[1].sites.size(), 3u);
  EXPECT_EQ(trace->methods()[1].sites[1].bci, 900);
  EXPECT_EQ(trace->methods()[1].sites[2].line, 8);

  ASSERT_TRUE(trace->rewind().ok());
  EXPECT_EQ(drain(*trace).events, all.events);
  EXPECT_EQ(trace->methods()[1].sites.size(), 3u);
  EXPECT_EQ(trace->end(), end);
}

TEST(BinaryTrace, WhereverItIsCutTheBlocksBeforeAreGiven) {
  const Packets packets(ThreadIndex{0}, small_stream(), 1);
  const std::string bytes = written(packets.all());
  const std::vector<Event> whole = events_of(small_stream());
  std::size_t most = 0;
  for (std::size_t size = 12; size < bytes.size(); ++size) {
    const Drained all = drain(*trace_of(bytes.substr(0, size)));
    EXPECT_EQ(all.error.find("input: at byte "), 0u) << all.error;
    ASSERT_LE(all.events.size(), whole.size());
    EXPECT_GE(all.events.size(), most);
    most = all.events.size();
    for (std::size_t i = 0; i < all.events.size(); ++i) EXPECT_EQ(all.events[i].event, whole[i]);
  }
  EXPECT_EQ(most, whole.size());
}

TEST(BinaryTrace, AnyDamagedByteIsNoticed) {
  const Packets packets(ThreadIndex{0}, small_stream(), 2);
  const std::string bytes = written(packets.all(), {1, 5, 0, 3, {}, {}, {"note"}});
  for (std::size_t at = 12; at < bytes.size(); ++at) {
    for (const int bit : {0, 4, 7}) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      EXPECT_NE(drain(*trace_of(damaged)).error, "") << at << ' ' << bit;
    }
  }
}

TEST(BinaryTrace, DamageIsSaidWithFileAndPlace) {
  const Packets packets(ThreadIndex{0}, small_stream(), 5);
  const std::string bytes = written(packets.all());
  EXPECT_EQ(drain(*trace_of(bytes + "x")).error,
            "input: at byte " + std::to_string(bytes.size()) + ": the file ends inside a block");
  std::string damaged = bytes;
  damaged.back() = static_cast<char>(damaged.back() ^ 1);
  const std::string error = drain(*trace_of(damaged)).error;
  EXPECT_NE(error.find(": a block's checksum does not match its bytes"), std::string::npos);
  EXPECT_EQ(drain(*trace_of(bytes.substr(0, 16))).error,
            "input: at byte 16: the recording was cut off, it has no end");
  EXPECT_EQ(drain(*trace_of("copse.trace/2\r\n\x1a and more")).error,
            "input: at byte 0: a trace of another version; this copse reads copse.trace/1");
  EXPECT_EQ(drain(*trace_of("copse.trace/1\n\x1a and more")).error,
            "input: at byte 0: the file header of a trace is damaged");
}

TEST(BinaryTrace, ABlockOfAnUnknownTypeIsDamage) {
  const TemporaryFile file;
  auto blocks = wire::BlockWriter::create(file.path(), kFileHeader);
  ASSERT_TRUE(blocks.ok());
  const std::uint8_t payload[] = {0, 0};
  EXPECT_TRUE((*blocks)->add(5, payload).ok());
  EXPECT_TRUE((*blocks)->close().ok());
  EXPECT_EQ(drain(*trace_of(file.content())).error,
            "input: at byte 16: a block of an unknown type");
}

TEST(BinaryTrace, TheFileIsItsOwnersAndReplacesWhatWasThere) {
  const TemporaryFile file("something old");
  ASSERT_EQ(::chmod(file.path().c_str(), 0644), 0);
  const auto writer = create(file);
  EXPECT_TRUE(writer->finish({}).ok());
  struct stat status {};
  ASSERT_EQ(::stat(file.path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  EXPECT_EQ(file.content().find("something"), std::string::npos);
}

TEST(BinaryTrace, WhatIsNoFileIsRefused) {
  const Result<std::unique_ptr<TraceWriter>> writer = TraceWriter::create("/dev/null");
  ASSERT_FALSE(writer.ok());
  EXPECT_FAULT(writer, kRefused, "/dev/null");
}

TEST(BinaryTrace, AFullDiskLeavesATraceThatCountsWhatItLost) {
  // A limit on file sizes stands for the disk. It is for the whole process, so it is lifted again.
  const TemporaryFile file;
  std::mt19937_64 random(9);
  const CallStream stream = copse::test::random_stream(random, {.calls = 400'000});
  const Packets packets(ThreadIndex{0}, stream, 4095);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, SIG_IGN);
  const auto writer = create(file);
  const rlimit limited{600'000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &limited);
  Status status;
  for (const shadowstack::Packet& packet : packets.all()) {
    if (Status now = writer->write_packet(packet); status.ok()) status = now;
  }
  const Status finished = writer->finish({1, stream.size(), 0, packets.all().size(), {}, {}, {}});
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, SIG_DFL);

  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.message().find(file.path() + ": "), 0u);
  EXPECT_TRUE(finished.ok());
  EXPECT_GT(writer->calls_lost(), 0u);
  const auto trace = trace_of(file.content());
  const Drained all = drain(*trace);
  EXPECT_EQ(all.error, "");
  std::uint64_t calls = 0;
  for (const test::ThreadEvent& event : all.events) {
    calls += event.event.kind == EventKind::kCall ? 1 : 0;
  }
  ASSERT_TRUE(trace->end());
  EXPECT_GT(calls, 0u);
  EXPECT_EQ(calls + trace->end()->calls_lost, stream.size());
}

TEST(BinaryTrace, AnOrdinaryCallTakesAtMostThreeBytes) {
  std::mt19937_64 random(10);
  const CallStream stream =
      copse::test::random_stream(random, {.calls = 200'000, .methods = 600, .sites = 3});
  const Packets packets(ThreadIndex{0}, stream, 4095);
  const double bytes = static_cast<double>(written(packets.all()).size());
  EXPECT_LT(bytes / static_cast<double>(stream.size()), 3.0);
}

}  // namespace
}  // namespace copse::trace
