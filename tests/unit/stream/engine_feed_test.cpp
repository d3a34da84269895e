#include "ptql/stream/engine_feed.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "ptql/language/query.h"
#include "ptql/plan/plan.h"

namespace copse::stream {
namespace {

using ptql::Value;

class EngineFeedTest : public testing::Test {
 protected:
  // Methods: 0 pkg.A.m(Z)Z, 1 pkg.A.<init>()V, 2 pkg.A.s()V, static. Classes: 0 pkg.A, 1 pkg.Error.
  void ask(const std::string& query) {
    plans_.clear();
    plans_.push_back(ptql::make_plan(std::get<ptql::Query>(ptql::parse_query(query))));
    engines_ = std::make_unique<ptql::Engines>(
        plans_, ptql::EngineOptions{}, [this](std::size_t, const ptql::Answer& answer) {
          std::string row = std::to_string(answer.event.time) + ":";
          for (const Value& value : answer.values) row += " " + ptql::to_text(value);
          rows_.push_back(row);
        });
    feed_ = std::make_unique<EngineFeed>(*engines_);
    feed_->method({"pkg.A", "m", "(Z)Z", "pkg.I", false});
    feed_->method({"pkg.A", "<init>", "()V", "", false});
    feed_->method({"pkg.A", "s", "()V", "", true});
    feed_->type("pkg.A", {"pkg.A", "java.lang.Object"});
    feed_->type("pkg.Error", {});
  }

  std::vector<std::string> rows() {
    feed_->finish();
    return rows_;
  }

  std::vector<ptql::Plan> plans_;
  std::unique_ptr<ptql::Engines> engines_;
  std::unique_ptr<EngineFeed> feed_;
  std::vector<std::string> rows_;
};

TEST_F(EngineFeedTest, IntegersAreBooleansWhereTheMethodSaysSo) {
  ask("SELECT x.param0, x.result, x.declaringClass FROM MethodInvocation x WHERE x.methodName = "
      "'m'");
  feed_->entered(1, {.thread = 9, .method = 0, .context = 0, .parameters = {Value::integer(1)}});
  feed_->returned(1, Value::integer(0));
  EXPECT_EQ(rows(), std::vector<std::string>{"2: true false 'pkg.I'"});
}

TEST_F(EngineFeedTest, ASectionHasWhatTheSectionsAroundItHold) {
  ask("SELECT x.receiver, x.param0, x.param1 FROM MethodInvocation x WHERE x.methodName = "
      "'synchronized'");
  feed_->method({"pkg.A", "synchronized", "", "pkg.A", false});
  const auto enter = [&](std::uint64_t invocation, std::uint64_t thread, std::uint64_t object) {
    feed_->entered(
        invocation,
        {.thread = thread, .method = 3, .context = 0, .receiver = Value::object(object)});
  };
  enter(1, 9, 20);
  enter(2, 9, 21);
  enter(3, 9, 21);  // again
  enter(4, 9, 22);
  enter(5, 8, 23);  // in another thread
  for (std::uint64_t invocation = 5; invocation > 0; --invocation) feed_->returned(invocation, {});
  EXPECT_EQ(rows(),
            (std::vector<std::string>{"1: object 20 - -", "2: object 21 object 20 -",
                                      "4: object 22 object 21 object 20", "5: object 23 - -"}));
}

TEST_F(EngineFeedTest, AnObjectHasTheEqualsAndHashCodeOfItsClass) {
  ask("SELECT o.equalsClass, o.hashCodeClass FROM ObjectAllocation o");
  feed_->allocated({.object = 5, .type = 0, .thread = 9, .context = 0});
  feed_->allocated({.object = 6, .type = 1, .thread = 9, .context = 0});
  EXPECT_EQ(rows(), (std::vector<std::string>{"1: 'pkg.A' 'java.lang.Object'", "2: - -"}));
}

TEST_F(EngineFeedTest, AConstructorsReceiverIsThatOfItsEnd) {
  ask("SELECT x.receiver, x.thrown.type FROM MethodInvocation x WHERE x.methodName = '<init>'");
  feed_->entered(1, {.thread = 9, .method = 1, .context = 0});
  feed_->constructed(1, 5);
  feed_->thrown(1, Value::object(6), 1);
  EXPECT_EQ(rows(), std::vector<std::string>{"3: object 5 'pkg.Error'"});
}

TEST_F(EngineFeedTest, AnEndThatWasNotToldComesWithThatOfTheMethodBelow) {
  ask("SELECT x.methodName, x.startTime, x.endTime FROM MethodInvocation x");
  feed_->entered(1, {.thread = 9, .method = 2, .context = 0});
  feed_->entered(2, {.thread = 9, .method = 2, .context = 0});
  feed_->entered(3, {.thread = 9, .method = 2, .context = 0});
  feed_->returned(1, {});
  EXPECT_EQ(feed_->late_ends(), 2);
  feed_->returned(2, {});  // nothing that runs
  EXPECT_EQ(rows(), (std::vector<std::string>{"4: 's' 3 4", "5: 's' 2 5", "6: 's' 1 6"}));
}

TEST_F(EngineFeedTest, AReceiverThatDiesWhileItsMethodRunsDiesWithTheMethod) {
  ask("SELECT o.endTime, x.endTime FROM ObjectAllocation o, MethodInvocation x WHERE x.receiver = "
      "o.receiver AND x.endTime < o.endTime");
  feed_->allocated({.object = 5, .type = 0, .thread = 9, .context = 0});
  feed_->entered(1, {.thread = 9, .method = 0, .context = 0, .receiver = Value::object(5)});
  feed_->entered(2, {.thread = 9, .method = 0, .context = 0, .receiver = Value::object(5)});
  feed_->died(5);
  feed_->returned(2, Value::integer(1));
  EXPECT_TRUE(rows_.empty());
  feed_->returned(1, Value::integer(1));
  EXPECT_EQ(rows(), (std::vector<std::string>{"7: 7 5", "7: 7 6"}));
}

TEST_F(EngineFeedTest, AnObjectIsAllocatedOnceAndDiesOnce) {
  ask("SELECT o.startTime, o.endTime FROM ObjectAllocation o");
  feed_->allocated({.object = 5, .type = 0, .thread = 9, .context = 0});
  feed_->allocated({.object = 5, .type = 0, .thread = 9, .context = 0});
  feed_->died(5);
  feed_->died(5);
  feed_->died(6);
  EXPECT_EQ(rows(), std::vector<std::string>{"3: 1 3"});
}

TEST_F(EngineFeedTest, AnswersTellOfThreadAndContext) {
  ask("SELECT x.thread.name, x.context FROM MethodInvocation x");
  feed_->thread_name(9, "worker");
  feed_->context("pkg.Main.main;pkg.A.s");
  feed_->entered(1, {.thread = 9, .method = 2, .context = 1});
  EXPECT_EQ(rows(), std::vector<std::string>{"1: 'worker' 'pkg.Main.main;pkg.A.s'"});
}

}  // namespace
}  // namespace copse::stream
