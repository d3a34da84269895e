// Event files: what goes in comes out, damage is said with its place, and nothing before it is
// lost.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "base/call_path.h"
#include "encoders/events/event_reader.h"
#include "encoders/events/event_writer.h"
#include "support/expect_fault.h"
#include "support/traces.h"

namespace copse::events {
namespace {

using trace::test::TemporaryFile;

CallPath path_of(std::initializer_list<std::uint32_t> methods) {
  CallPath path;
  MethodId caller = kNoMethod;
  for (const std::uint32_t method : methods) {
    path.push_back(edge_key({caller, SiteOrdinal{1}}, MethodId{method}));
    caller = MethodId{method};
  }
  return path;
}

// Ids 1 to 4.
Result<CallPath> decode(std::uint64_t id) {
  switch (id) {
    case 1:
      return path_of({1, 2});
    case 2:
      return path_of({1});
    case 3:
      return path_of({1, 2, 3, 3});
    case 4:
      return path_of({4});
    default:
      return Status::error(Fault::kNotFound, "id " + std::to_string(id) + ": unknown");
  }
}

// Numbers of contexts are ids times 100, plus the calls that are left out at the end.
EventWriter::Decoder decoder() {
  return {
      .number_of = [](std::uint64_t id) { return id * 100; },
      .steps = {.last_call = [](std::uint64_t number) -> std::optional<IdSteps::LastCall> {
                  const Result<CallPath> path = decode(number / 100);
                  if (!path.ok()) return std::nullopt;
                  return IdSteps::LastCall{path->at(path->size() - 1 - number % 100), number + 1};
                },
                .is_root =
                    [](std::uint64_t number) {
                      const Result<CallPath> path = decode(number / 100);
                      return path.ok() && path->size() == number % 100;
                    }}};
}

std::unique_ptr<EventWriter> create(const TemporaryFile& file) {
  Result<std::unique_ptr<EventWriter>> writer = EventWriter::create(file.path(), decoder());
  EXPECT_TRUE(writer.ok());
  return std::move(writer).value();
}

EventReader reader_of(const std::string& bytes) {
  return EventReader(wire::bytes_in_memory("input", {bytes.begin(), bytes.end()}));
}

struct Row {
  std::uint32_t thread;
  std::uint64_t id;  // of the event's context
  FileEvent event;

  friend bool operator==(const Row&, const Row&) = default;
};

Status read_all(EventReader& file, std::vector<Row>& rows) {
  for (;;) {
    const Result<std::optional<FileEventBatch>> batch = file.next();
    if (!batch.ok()) return batch.status();
    if (!batch->has_value()) return {};
    for (FileEvent event : (*batch)->events) {
      const std::uint64_t id = file.contexts().at(event.context).id;
      event.context = 0;
      rows.push_back({raw((*batch)->thread), id, event});
    }
  }
}

Row row_of(std::uint32_t thread, const LoggedEvent& event) {
  return {thread, event.id, {event.kind, 0, event.site, event.count, event.weight, event.time_ns}};
}

std::string some_file(std::vector<Row>& rows) {
  const TemporaryFile file;
  const auto writer = create(file);
  EXPECT_TRUE(writer->write_program({{"java", "A"}, 7, "VM", "now", {{"k", "v"}}}).ok());
  const trace::NameRow names[] = {
      {MethodId{1}, true, {"A", "f", "()V", "A.java", "app", {{3, 9}}}}};
  EXPECT_TRUE(writer->write_names(names).ok());
  EXPECT_TRUE(
      writer->write_thread({trace::ThreadChange::kStart, {ThreadIndex{5}, 1, "main"}}).ok());
  const LoggedEvent first[] = {{EventKind::kException, 1, SiteOrdinal{1}, 1, 0, 1000},
                               {EventKind::kCpu, 2, SiteOrdinal{2}, 1, 10'000'000, 900},
                               {EventKind::kException, 0, SiteOrdinal{0}, 1, 0, 1200}};
  const LoggedEvent second[] = {{EventKind::kExactAllocation, 3, SiteOrdinal{3}, 12, 1ull << 40, 5},
                                {EventKind::kMark, 4, SiteOrdinal{4}, 1, 0, ~0ull >> 1}};
  EXPECT_TRUE(writer->write_events(ThreadIndex{5}, first).ok());
  EXPECT_TRUE(writer->write_events(ThreadIndex{6}, second).ok());
  for (const LoggedEvent& event : first) rows.push_back(row_of(5, event));
  for (const LoggedEvent& event : second) rows.push_back(row_of(6, event));
  EventFileEnd end;
  end.wall_ms = 2.5;
  end.notes = {"A note."};
  EXPECT_TRUE(writer->finish(end).ok());
  return file.content();
}

TEST(EventFile, EventsComeBackWithTheirContextsAndThreads) {
  std::vector<Row> expected;
  const std::string bytes = some_file(expected);
  EventReader file = reader_of(bytes);
  std::vector<Row> rows;
  EXPECT_TRUE(read_all(file, rows).ok());
  EXPECT_EQ(rows, expected);
  ASSERT_EQ(file.contexts().size(), 6u);  // ROOT, 1, 1-2, 1-2-3, 1-2-3-3, 4
  std::map<std::uint64_t, CallPath> paths;
  for (std::uint32_t number = 1; number < 6; ++number) {
    const FileContext& context = file.contexts()[number];
    EXPECT_LT(context.parent, number);
    CallPath path;
    for (std::uint32_t at = number; at != 0; at = file.contexts()[at].parent) {
      const FileContext& step = file.contexts()[at];
      path.insert(path.begin(),
                  edge_key({method_of(file.contexts()[step.parent].key), site_of(step.key)},
                           method_of(step.key)));
    }
    paths[context.id] = path;
  }
  for (const std::uint64_t id : {1, 2, 3, 4}) EXPECT_EQ(paths[id], *decode(id)) << id;
  ASSERT_NE(file.thread(ThreadIndex{5}), nullptr);
  EXPECT_EQ(file.thread(ThreadIndex{5})->name, "main");
  EXPECT_EQ(file.thread(ThreadIndex{6}), nullptr);
  EXPECT_EQ(file.methods().at(1).class_name, "A");
  EXPECT_EQ(file.program()->runtime, "VM");
  EXPECT_EQ(file.end()->notes, std::vector<std::string>{"A note."});
  const auto in_file = [&](EventKind kind) {
    return file.end()->totals[static_cast<std::size_t>(kind)].in_file;
  };
  EXPECT_EQ(in_file(EventKind::kException), 2u);
  EXPECT_EQ(in_file(EventKind::kExactAllocation), 12u);
}

TEST(EventFile, AnEventWhoseIdDoesNotDecodeIsKeptWithoutAContext) {
  const TemporaryFile file;
  const auto writer = create(file);
  const LoggedEvent events[] = {{EventKind::kMark, 99, SiteOrdinal{99}, 1, 0, 1}};
  EXPECT_TRUE(writer->write_events(ThreadIndex{0}, events).ok());
  EXPECT_EQ(writer->undecoded(), IdContexts::kUnknown);
  EventFileEnd end;
  EXPECT_TRUE(writer->finish(end).ok());
  EventReader reader = reader_of(file.content());
  std::vector<Row> rows;
  EXPECT_TRUE(read_all(reader, rows).ok());
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].id, 0u);
}

TEST(EventFile, AnEventOutsideAnyContextHasOneOfItsOwnBelowRoot) {
  const TemporaryFile file;
  auto created = EventWriter::create(file.path(), decoder(), {MethodId{7}, MethodId{8}});
  ASSERT_TRUE(created.ok());
  EventWriter& writer = **created;
  const auto event = [](std::optional<Outside> where) {
    return LoggedEvent{.kind = EventKind::kCpu, .weight = 5, .outside = where};
  };
  const LoggedEvent events[] = {event(Outside::kAfterLastSample), event(Outside::kNoRecordedCaller),
                                event(std::nullopt), event(Outside::kNoRecordedCaller)};
  EXPECT_TRUE(writer.write_events(ThreadIndex{0}, events).ok());
  EventFileEnd end;
  EXPECT_TRUE(writer.finish(end).ok());
  EventReader reader = reader_of(file.content());
  const Result<std::optional<FileEventBatch>> batch = reader.next();
  ASSERT_TRUE(batch.ok() && batch->has_value());
  std::vector<std::uint32_t> contexts;
  for (const FileEvent& read : (*batch)->events) contexts.push_back(read.context);
  EXPECT_EQ(contexts, (std::vector<std::uint32_t>{1, 2, 0, 2}));
  EXPECT_EQ(reader.contexts()[1].key, context_key(kNoSite, MethodId{8}));
  EXPECT_EQ(reader.contexts()[2].key, context_key(kNoSite, MethodId{7}));
  EXPECT_EQ(reader.contexts()[2].parent, 0u);
  EXPECT_EQ(reader.contexts()[2].id, 0u) << "no program asked for one";
}

TEST(EventFile, WhereverItIsCutTheBlocksBeforeAreGiven) {
  std::vector<Row> expected;
  const std::string bytes = some_file(expected);
  std::size_t most = 0;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EventReader file = reader_of(bytes.substr(0, size));
    std::vector<Row> rows;
    const Status error = read_all(file, rows);
    EXPECT_FAULT(error, kMalformed, "input: at byte ");
    ASSERT_LE(rows.size(), expected.size());
    EXPECT_GE(rows.size(), most);
    most = rows.size();
    for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i], expected[i]);
    EXPECT_EQ(file.next().message(), error.message());
  }
  EXPECT_EQ(most, expected.size());
}

TEST(EventFile, AnyDamagedByteIsNoticedAndNothingDecodesWrongly) {
  std::vector<Row> expected;
  const std::string bytes = some_file(expected);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (const int bit : {0, 4, 7}) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      EventReader file = reader_of(damaged);
      std::vector<Row> rows;
      EXPECT_FALSE(read_all(file, rows).ok()) << at << ' ' << bit;
      ASSERT_LE(rows.size(), expected.size());
      for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i], expected[i]);
    }
  }
}

// Threads 1 (main), 12, started by it outside any context, and 13, which 12 started at id 3's context.
TEST(EventFile, StartsOfThreadsComeBackEachOnce) {
  const TemporaryFile file;
  const auto writer = create(file);
  std::vector<std::int64_t> asked;
  const EventWriter::StartOf start_of = [&](std::int64_t thread) -> std::optional<LoggedStart> {
    asked.push_back(thread);
    if (thread == 12) return LoggedStart{1, 0, kNoSite};
    if (thread == 13) return LoggedStart{12, 300, SiteOrdinal{2}};
    return std::nullopt;
  };
  for (const std::int64_t thread : {13, 12, 13, 0}) {
    EXPECT_TRUE(writer->write_starts_to(thread, start_of).ok());
  }
  EXPECT_EQ(asked, (std::vector<std::int64_t>{13, 12, 1})) << "what is in the file is known";
  const LoggedEvent events[] = {{EventKind::kMark, 1, SiteOrdinal{1}, 1, 0, 1}};
  EXPECT_TRUE(writer->write_events(ThreadIndex{0}, events).ok());
  EventFileEnd end;
  EXPECT_TRUE(writer->finish(end).ok());
  EventReader reader = reader_of(file.content());
  std::vector<Row> rows;
  EXPECT_TRUE(read_all(reader, rows).ok());
  const std::vector<ThreadStart> starts = reader.starts_to(13);
  ASSERT_EQ(starts.size(), 2u);
  EXPECT_EQ(starts[0], (ThreadStart{12, 1, 0, kNoSite}));
  EXPECT_EQ(starts[1].starter, 12);
  EXPECT_EQ(starts[1].site, SiteOrdinal{2});
  EXPECT_EQ(method_of(reader.contexts().at(starts[1].context).key), MethodId{3});
  EXPECT_EQ(reader.starts_to(12).size(), 1u);
  EXPECT_TRUE(reader.starts_to(1).empty());
}

TEST(EventFile, ThreadsThatStartedEachOtherHaveAnEnd) {
  const TemporaryFile file;
  const auto writer = create(file);
  const EventWriter::StartOf circle = [](std::int64_t thread) {
    return std::optional(LoggedStart{3 - thread, 0, kNoSite});
  };
  EXPECT_TRUE(writer->write_starts_to(1, circle).ok());
  EventFileEnd end;
  EXPECT_TRUE(writer->finish(end).ok());
  EventReader reader = reader_of(file.content());
  std::vector<Row> rows;
  EXPECT_TRUE(read_all(reader, rows).ok());
  EXPECT_EQ(reader.starts_to(1).size(), 2u);
}

// Blocks whose checksums are right, of bytes that no writer would write.
TEST(EventFile, BlocksOfAnyBytesAreReadOrRefused) {
  const std::uint64_t seed = std::random_device()();
  std::mt19937_64 random(seed);
  SCOPED_TRACE("seed " + std::to_string(seed));
  for (int turn = 0; turn < 2000; ++turn) {
    const TemporaryFile file;
    auto blocks = wire::BlockWriter::create(file.path(), kEventFileHeader);
    ASSERT_TRUE(blocks.ok());
    for (int block = 0; block < 3; ++block) {
      std::vector<std::uint8_t> payload(random() % 40);
      for (std::uint8_t& byte : payload) {
        byte = static_cast<std::uint8_t>(random() % (random() % 2 == 0 ? 256 : 6));
      }
      ASSERT_TRUE((*blocks)->add(static_cast<std::uint8_t>(random() % 9), payload).ok());
    }
    ASSERT_TRUE((*blocks)->close().ok());
    EventReader reader = reader_of(file.content());
    std::vector<Row> rows;
    (void)read_all(reader, rows);
  }
}

TEST(EventFile, OtherFilesAreRefusedInOneLine) {
  std::vector<Row> rows;
  EventReader trace = reader_of("copse.trace/1\r\n\x1a and more");
  EXPECT_FAULT(read_all(trace, rows), kMalformed, "input: at byte 0: ");
  EventReader later = reader_of("copse.event/2\r\n\x1a and more");
  EXPECT_FAULT(read_all(later, rows), kMalformed, "input: at byte 0: ", "copse.event/1");
}

}  // namespace
}  // namespace copse::events
