// The log that threads append to: nothing is missing from a file but what its end says.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <map>
#include <thread>

#include "encoders/events/event_log.h"
#include "encoders/events/event_reader.h"
#include "encoders/events/event_threads.h"
#include "shadowstack/header_region.h"
#include "support/traces.h"

namespace copse::events {
namespace {

using trace::test::TemporaryFile;

// Hands out headers of a region, and takes them back.
class Headers final : public shadowstack::ThreadRecorder {
 public:
  shadowstack::ThreadHeader* attach(std::int64_t, std::string_view) noexcept override {
    const std::lock_guard lock(mutex_);
    shadowstack::ThreadHeader* header = nullptr;
    if (free_.empty()) {
      header = region_.add();
    } else {
      header = free_.back();
      free_.pop_back();
    }
    header->state = reinterpret_cast<shadowstack::ThreadState*>(this);
    return header;
  }
  void rename(shadowstack::ThreadHeader*, std::string_view) noexcept override {}
  void detach(shadowstack::ThreadHeader* header) noexcept override {
    const std::lock_guard lock(mutex_);
    free_.push_back(header);
  }
  void close() noexcept override {}
  std::uint64_t calls_seen() const noexcept override { return 0; }
  std::uint64_t calls_lost() const noexcept override { return 0; }
  std::uint64_t packets() const noexcept override { return 0; }
  std::vector<shadowstack::ThreadRow> threads() const override { return {}; }

 private:
  std::mutex mutex_;
  shadowstack::HeaderRegion region_{shadowstack::anonymous_memory()};
  std::vector<shadowstack::ThreadHeader*> free_;
};

// Each id is that of the method with this number alone.
EventWriter::Decoder decoder() {
  constexpr std::uint64_t kRootsNumber = ~std::uint64_t{0};
  return {.number_of = [](std::uint64_t id) { return id; },
          .steps = {.last_call = [](std::uint64_t id) -> std::optional<IdSteps::LastCall> {
                      return IdSteps::LastCall{entry_edge(MethodId{static_cast<std::uint32_t>(id)}),
                                               kRootsNumber};
                    },
                    .is_root = [](std::uint64_t id) { return id == kRootsNumber; }}};
}

std::unique_ptr<EventLog> log_to(const TemporaryFile& file) {
  auto writer = EventWriter::create(file.path(), decoder());
  EXPECT_TRUE(writer.ok());
  return std::make_unique<EventLog>(
      std::move(writer).value(), EventLog::News{[] { return std::vector<trace::NameRow>(); },
                                                [] { return std::vector<trace::SkippedInfo>(); }});
}

struct Content {
  std::string error;
  std::map<std::string, std::uint64_t> events_of;  // by thread name
  std::uint64_t events = 0;
  std::uint64_t weight = 0;
  std::optional<EventFileEnd> end;
};

Content content_of(const TemporaryFile& file) {
  EventReader reader(wire::open_file(file.path()).value());
  Content content;
  for (;;) {
    const auto batch = reader.next();
    if (!batch.ok()) content.error = batch.message();
    if (!batch.ok() || !batch->has_value()) break;
    std::uint64_t last = 0;
    for (const FileEvent& event : (*batch)->events) {
      EXPECT_LE(last, event.time_ns);
      last = event.time_ns;
      content.events += event.count;
      content.weight += event.weight;
      content.events_of[reader.thread((*batch)->thread)->name] += event.count;
    }
  }
  content.end = reader.end();
  return content;
}

TEST(EventLog, KeepsEveryEventOfManyThreadsWithTheirNames) {
  constexpr std::uint64_t kThreads = 20;
  constexpr std::uint64_t kEvents = 3000;
  const TemporaryFile file;
  Headers headers;
  const auto log = log_to(file);
  EventThreads threads(headers, log.get());
  const auto live = [&](std::uint64_t number) {
    shadowstack::ThreadHeader* header =
        threads.attach(static_cast<std::int64_t>(number), "thread " + std::to_string(number));
    for (std::uint64_t i = 0; i < kEvents + number; ++i) {
      log->add(event_thread_of(header), {EventKind::kMark, i % 50 + 1, kNoSite, 1, 2});
    }
    threads.detach(header);
  };
  std::jthread writing([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      threads.for_each_live([&](EventThread& thread) { log->collect(thread); });
      log->write();
    }
  });
  for (int round = 0; round < 2; ++round) {  // headers and rows are taken over
    std::vector<std::jthread> running;
    for (std::uint64_t number = 0; number < kThreads; ++number) running.emplace_back(live, number);
  }
  writing.request_stop();
  writing.join();
  const EventLog::Finished finished = log->finish(1, {});
  EXPECT_TRUE(finished.end_written.ok());
  const Content content = content_of(file);
  EXPECT_EQ(content.error, "");
  const std::uint64_t expected = 2 * (kThreads * kEvents + kThreads * (kThreads - 1) / 2);
  EXPECT_EQ(content.events, expected);
  EXPECT_EQ(content.weight, 2 * expected);
  EXPECT_EQ(finished.events, expected);
  EXPECT_EQ(finished.lost, 0u);
  EXPECT_EQ(content.events_of.size(), kThreads);
  EXPECT_EQ(content.events_of.at("thread 7"), 2 * (kEvents + 7));
  EXPECT_EQ(content.end->totals[0].seen, expected);
  EXPECT_EQ(content.end->totals[0].in_file, expected);
}

TEST(EventLog, WhatWaitsIsReadableOnceItWasWrittenWithoutAnEnd) {
  const TemporaryFile file;
  Headers headers;
  const auto log = log_to(file);
  EventThreads threads(headers, log.get());
  shadowstack::ThreadHeader* header = threads.attach(1, "main");
  for (int i = 0; i < 5; ++i)
    log->add(event_thread_of(header), {EventKind::kMark, 1, kNoSite, 1, 0});
  EXPECT_EQ(content_of(file).events, 0u);
  threads.for_each_live([&](EventThread& thread) { log->collect(thread); });
  log->write();
  const Content content = content_of(file);
  EXPECT_EQ(content.events, 5u);
  EXPECT_NE(content.error.find("the recording was cut off, it has no end"), std::string::npos);
}

TEST(EventThreads, HoldsAThreadOnlyWhileItLives) {
  Headers headers;
  EventThreads threads(headers, nullptr);
  shadowstack::ThreadHeader* header = threads.attach(41, "first");
  EventThread& thread = *event_thread_of(header);
  std::vector<std::int64_t> held;
  const auto hold = [&] { threads.hold(thread, [&](std::int64_t id) { held.push_back(id); }); };
  hold();
  threads.detach(header);
  hold();
  EXPECT_EQ(threads.attach(42, "the next with the header"), header);
  hold();
  EXPECT_EQ(held, (std::vector<std::int64_t>{41, 42}));
}

TEST(EventLog, ANameGivenLaterIsTheOneThatIsRead) {
  const TemporaryFile file;
  Headers headers;
  const auto log = log_to(file);
  EventThreads threads(headers, log.get());
  shadowstack::ThreadHeader* header = threads.attach(1, "Thread-0");
  log->add(event_thread_of(header), {EventKind::kMark, 1, kNoSite, 1, 0});
  threads.for_each_live([&](EventThread& thread) { log->collect(thread); });
  threads.rename(header, "worker");
  log->add(event_thread_of(header), {EventKind::kMark, 1, kNoSite, 1, 0});
  threads.detach(header);
  log->finish(1, {});
  EXPECT_EQ(content_of(file).events_of.at("worker"), 1u);
}

// One that has no header, or shares that of those without memory.
TEST(EventLog, KeepsEventsOfThreadsThatNobodyKnowsAsThoseOfOne) {
  const TemporaryFile file;
  const auto log = log_to(file);
  {
    std::vector<std::jthread> running;
    for (int i = 0; i < 4; ++i) {
      running.emplace_back([&] {
        for (int n = 0; n < 1000; ++n) log->add(nullptr, {EventKind::kException, 1, kNoSite, 1, 2});
      });
    }
  }
  log->collect_unknown();
  const EventLog::Finished finished = log->finish(1, {});
  const Content content = content_of(file);
  EXPECT_EQ(content.error, "");
  EXPECT_EQ(content.events_of, (std::map<std::string, std::uint64_t>{{"(unknown)", 4000}}));
  EXPECT_EQ(content.weight, 8000u);
  EXPECT_EQ(finished.lost, 0u);
}

// A limit on the size of files is a disk that fills.
TEST(EventLog, AFullDiskLosesEventsThatAreCountedAndNothingBeforeThem) {
  const TemporaryFile file;
  Headers headers;
  const auto log = log_to(file);
  EventThreads threads(headers, log.get());
  shadowstack::ThreadHeader* header = threads.attach(1, "main");
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit = before;
  limit.rlim_cur = 50'000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  constexpr std::uint64_t kEvents = 100'000;
  for (std::uint64_t i = 0; i < kEvents; ++i) {
    log->add(event_thread_of(header), {EventKind::kException, i % 9 + 1, kNoSite, 1, 3});
  }
  threads.detach(header);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);  // there is room again for the end
  std::signal(SIGXFSZ, ignored);
  const EventLog::Finished finished = log->finish(1, {});
  EXPECT_FALSE(finished.failure.ok());
  EXPECT_TRUE(finished.end_written.ok());
  const Content content = content_of(file);
  EXPECT_EQ(content.error, "");
  EXPECT_GT(content.events, 1000u);
  EXPECT_LT(content.events, kEvents);
  const EventTotals& totals = content.end->totals[static_cast<std::size_t>(EventKind::kException)];
  EXPECT_EQ(totals.seen, kEvents);
  EXPECT_EQ(totals.in_file, content.events);
  EXPECT_EQ(totals.in_file_weight, content.weight);
  EXPECT_EQ(finished.lost, kEvents - content.events);
}

}  // namespace
}  // namespace copse::events
