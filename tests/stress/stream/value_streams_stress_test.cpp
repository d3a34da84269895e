// Programs whose threads write value events, as agents do, to a command that answers while they come.
// Meant for ThreadSanitizer.
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "cli/look/value_streams.h"
#include "ptql/language/query.h"
#include "ptql/plan/plan.h"
#include "ptql/stream/block_output.h"
#include "ptql/stream/value_writer.h"

namespace copse::cli {
namespace {

using ptql::Value;

constexpr std::uint64_t kPrograms = 2;
constexpr std::uint64_t kThreads = 3;  // of each
constexpr std::int64_t kCalls = 1500;  // of each thread; outer ones

// A program with one stream: a lock around stamp and write, and a thread that flushes.
class WritingProgram {
 public:
  WritingProgram(std::uint64_t pid, const std::string& socket) {
    Result<std::unique_ptr<stream::BlockOutput>> output = stream::socket_output(socket);
    EXPECT_TRUE(output.ok());
    writer_ = std::make_unique<stream::ValueWriter>(std::move(output).value(),
                                                    stream::ValueProgram{.pid = pid});
    method_ = writer_->add_method({.implementing_class = "pkg.A",
                                   .name = "step",
                                   .descriptor = "(J)J",
                                   .declaring_class = "",
                                   .is_static = true});
    type_ = writer_->add_class("pkg.A");
  }

  // Calls nest by two, with an object's life around each. `endless`: until the output fails.
  void run(bool endless) {
    std::atomic<bool> over{false};
    std::thread flushing([&] {
      while (!over.load()) {
        const std::lock_guard lock(mutex_);
        writer_->flush();
      }
    });
    std::vector<std::thread> threads;
    for (std::uint64_t thread = 1; thread <= kThreads; ++thread) {
      threads.emplace_back([this, thread, endless] { call_in(thread, endless); });
    }
    for (std::thread& thread : threads) thread.join();
    over.store(true);
    flushing.join();
  }

  Status finish() { return writer_->finish({}); }
  const stream::ValueWriter& writer() const { return *writer_; }

 private:
  void call_in(std::uint64_t thread, bool endless) {
    {
      const std::lock_guard lock(mutex_);
      writer_->thread_name(thread, "thread " + std::to_string(thread));
    }
    for (std::int64_t i = 0; endless ? is_heard() : i < kCalls; ++i) {
      const std::int64_t number = static_cast<std::int64_t>(thread) * kCalls + i;
      const std::uint64_t object = 1000 + static_cast<std::uint64_t>(number);
      const std::uint64_t outer = enter(thread, number, object);
      const std::uint64_t inner = enter(thread, -number, 0);
      leave(inner, -number - 1, 0);
      leave(outer, number + 1, object);
    }
  }

  bool is_heard() {
    const std::lock_guard lock(mutex_);
    return writer_->failure().ok();
  }

  std::uint64_t enter(std::uint64_t thread, std::int64_t number, std::uint64_t object) {
    const std::lock_guard lock(mutex_);
    if (object != 0) {
      writer_->allocated({.object = object, .type = type_, .thread = thread, .context = 0});
    }
    return writer_->entered({.thread = thread,
                             .method = method_,
                             .context = 0,
                             .parameters = {Value::integer(number)}});
  }

  void leave(std::uint64_t invocation, std::int64_t result, std::uint64_t object) {
    const std::lock_guard lock(mutex_);
    writer_->returned(invocation, Value::integer(result));
    if (object != 0) writer_->died(object);
  }

  std::mutex mutex_;
  std::unique_ptr<stream::ValueWriter> writer_;
  std::uint32_t method_ = 0;
  std::uint32_t type_ = 0;
};

AskedQueries asked(const std::string& query) {
  AskedQueries asked;
  asked.names = {"query 1"};
  asked.titles = {""};
  asked.texts = {query};
  asked.plans.push_back(ptql::make_plan(std::get<ptql::Query>(ptql::parse_query(query))));
  return asked;
}

void run_all(std::vector<std::unique_ptr<WritingProgram>>& programs, bool endless) {
  std::vector<std::thread> running;
  for (const auto& program : programs) {
    running.emplace_back([&program, endless] { program->run(endless); });
  }
  for (std::thread& thread : running) thread.join();
}

TEST(ValueStreamsStress, AnswersAreThoseOfEachProgramsThreads) {
  const AskedQueries queries = asked(
      "SELECT a.param0, a.result, b.param0, b.result FROM MethodInvocation a, MethodInvocation b "
      "WHERE a.thread = b.thread AND a.startTime < b.startTime AND b.endTime < a.endTime");
  std::map<std::uint64_t, std::set<std::vector<std::int64_t>>> answers;  // by process
  ValueStreams streams(queries, {},
                       [&](std::uint64_t pid, std::size_t, const ptql::Answer& answer) {
                         std::vector<std::int64_t> row;
                         for (const Value& value : answer.values) row.push_back(value.as_integer());
                         EXPECT_TRUE(answers[pid].insert(row).second);
                       });
  ASSERT_TRUE(streams.open().ok());
  std::vector<std::unique_ptr<WritingProgram>> programs;
  for (std::uint64_t pid = 1; pid <= kPrograms; ++pid) {
    programs.push_back(std::make_unique<WritingProgram>(pid, streams.socket_path()));
  }
  run_all(programs, false);
  for (const auto& program : programs) {
    EXPECT_TRUE(program->finish().ok());
    EXPECT_EQ(program->writer().lost_events(), 0);
  }
  std::uint64_t events = 0;
  for (const ValueStreamEnd& end : streams.finish()) {
    EXPECT_EQ(end.trouble, "");
    EXPECT_TRUE(end.has_end);
    EXPECT_EQ(end.late_ends, 0);
    events += end.events;
  }
  EXPECT_EQ(events, kPrograms * kThreads * kCalls * 6);
  std::set<std::vector<std::int64_t>> expected;
  for (std::int64_t n = kCalls; n < static_cast<std::int64_t>(kThreads + 1) * kCalls; ++n) {
    expected.insert({n, n + 1, -n, -n - 1});
  }
  ASSERT_EQ(answers.size(), kPrograms);
  for (const auto& [pid, rows] : answers) EXPECT_EQ(rows, expected) << pid;
}

TEST(ValueStreamsStress, AProgramGoesOnWhenItsReaderHasEnoughAndWhatIsLostIsCounted) {
  const AskedQueries queries = asked("SELECT a.param0 FROM MethodInvocation a LIMIT 3");
  std::atomic<unsigned> answers{0};
  ValueStreams streams(queries, {},
                       [&](std::uint64_t, std::size_t, const ptql::Answer&) { ++answers; });
  ASSERT_TRUE(streams.open().ok());
  std::vector<std::unique_ptr<WritingProgram>> programs;
  for (std::uint64_t pid = 1; pid <= kPrograms; ++pid) {
    programs.push_back(std::make_unique<WritingProgram>(pid, streams.socket_path()));
  }
  run_all(programs, true);
  EXPECT_EQ(streams.finish().size(), kPrograms);
  for (const auto& program : programs) {
    EXPECT_FALSE(program->finish().ok());
    EXPECT_FALSE(program->writer().failure().ok());
    EXPECT_GT(program->writer().lost_events(), 0);
    EXPECT_LT(program->writer().lost_events(), program->writer().events());
  }
  EXPECT_EQ(answers.load(), kPrograms * 3);
}

TEST(ValueStreamsStress, AProgramGoesOnWhenTheEndIsWantedAndItsAnswersAreBehind) {
  const AskedQueries queries = asked(
      "SELECT a.param0 FROM MethodInvocation a, MethodInvocation b, MethodInvocation c "
      "WHERE a.startTime < b.startTime AND b.startTime < c.startTime "
      "AND a.param0 + b.param0 > c.param0 + 1000000000");
  ValueStreams streams(queries, {}, [](std::uint64_t, std::size_t, const ptql::Answer&) {});
  ASSERT_TRUE(streams.open().ok());
  std::vector<std::unique_ptr<WritingProgram>> programs;
  for (std::uint64_t pid = 1; pid <= kPrograms; ++pid) {
    programs.push_back(std::make_unique<WritingProgram>(pid, streams.socket_path()));
  }
  streams.end_soon();
  run_all(programs, true);  // until no reader is left
  for (const auto& program : programs) EXPECT_FALSE(program->finish().ok());
  const std::vector<ValueStreamEnd> ends = streams.finish();
  EXPECT_EQ(ends.size(), kPrograms);
  for (const ValueStreamEnd& end : ends) {
    EXPECT_TRUE(end.is_cut);
    EXPECT_FALSE(end.is_enough);
    EXPECT_FALSE(end.has_end);
  }
}

}  // namespace
}  // namespace copse::cli
