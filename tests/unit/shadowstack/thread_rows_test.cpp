#include "shadowstack/thread_rows.h"

#include <gtest/gtest.h>

namespace copse::shadowstack {
namespace {

TEST(ThreadRows, ListThreadsWithANameInOrderIfTheyMadeACall) {
  ThreadRows rows;
  const ThreadIndex first = rows.add(41, "first");
  rows.add(42, "silent");
  const ThreadIndex third = rows.add(43, "third");
  rows.set_calls(third, 7, 5);
  rows.set_calls(first, 6, 2);
  rows.end(first);
  rows.rename(third, "renamed");
  const auto list = rows.list();
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].runtime_id, 41);
  EXPECT_EQ(list[0].calls, 2u);
  EXPECT_EQ(list[1].name, "renamed");
  EXPECT_EQ(list[1].index, third);
  EXPECT_EQ(list[1].first_key, 7u);
}

TEST(ThreadRows, SumThreadsWithoutANameWhetherTheyHaveEndedOrNot) {
  ThreadRows rows;
  for (int i = 0; i < 1000; ++i) {
    const ThreadIndex thread = rows.add(i, "");
    EXPECT_EQ(raw(thread), static_cast<std::uint32_t>(i)) << "every thread has an index of its own";
    rows.set_calls(thread, 9, i == 0 ? 0 : 3);
    if (i % 2 == 0) rows.end(thread);
  }
  const auto list = rows.list();
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].index, kNoThread);
  EXPECT_EQ(list[0].name, "other threads: 999");
  EXPECT_EQ(list[0].threads, 999u);
  EXPECT_EQ(list[0].calls, 999u * 3);
  EXPECT_EQ(list[0].first_key, 9u);
}

TEST(ThreadRows, ListThreadsWithoutACallWhereCallsAreNotCounted) {
  ThreadRows rows(ThreadRows::Listed::kAll);
  rows.add(1, "main");
  rows.end(rows.add(2, "ended"));
  rows.end(rows.add(3, ""));
  rows.add(4, "");
  const auto list = rows.list();
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[0].name, "main");
  EXPECT_EQ(list[0].threads, 1u);
  EXPECT_EQ(list[1].name, "ended");
  EXPECT_EQ(list[2].name, "other threads: 2");
  EXPECT_EQ(list[2].threads, 2u);
}

TEST(ThreadRows, TellNoFirstCallWhereThreadsWithoutANameDiffer) {
  ThreadRows rows;
  rows.set_calls(rows.add(1, ""), 5, 1);
  rows.set_calls(rows.add(2, ""), 6, 1);
  rows.set_calls(rows.add(3, ""), 5, 1);
  EXPECT_EQ(rows.list().at(0).first_key, 0u);
}

TEST(ThreadRows, AnswerForThreadsThatAreInNoRow) {
  ThreadRows rows;
  const ThreadIndex thread = rows.add(1, "");
  rows.set_calls(thread, 5, 1);
  rows.end(thread);
  rows.rename(thread, "late");
  rows.set_calls(thread, 5, 100);
  rows.end(thread);
  EXPECT_EQ(rows.runtime_id(thread), 0);
  ASSERT_EQ(rows.list().size(), 1u);
  EXPECT_EQ(rows.list()[0].calls, 1u);
}

TEST(ThreadRows, DoNotGrowForEverWithThreadsThatHaveNames) {
  ThreadRows rows;
  const ThreadIndex first = rows.add(1, "stays");
  rows.set_calls(first, 5, 1);
  for (std::size_t i = 0; i < kMostEndedRows + 500; ++i) {
    const ThreadIndex thread = rows.add(static_cast<std::int64_t>(i), "worker");
    rows.set_calls(thread, 5, 2);
    rows.end(thread);
  }
  const std::vector<ThreadRow> list = rows.list();
  ASSERT_EQ(list.size(), kMostEndedRows + 2);
  EXPECT_EQ(list.front().name, "stays");
  EXPECT_EQ(list.back().name, "other threads: 500");
  EXPECT_EQ(list.back().calls, 1000u);
}

TEST(ThreadRows, HaveAmountsOfMeasuresAlsoOfThreadsThatShareARow) {
  ThreadRows rows;
  const auto add = [&rows](ThreadIndex thread, std::size_t column, std::uint64_t amount) {
    const ColumnAmount one{column, amount};
    rows.add_amounts(thread, {&one, 1});
  };
  const ThreadIndex named = rows.add(1, "named"), ended = rows.add(2, ""), live = rows.add(3, "");
  const ThreadIndex silent = rows.add(4, "silent");
  for (const ThreadIndex thread : {named, ended, live}) rows.set_calls(thread, 5, 1);
  add(named, 1, 10);
  add(ended, 0, 7);
  add(live, 2, 1);
  add(silent, 0, 1000);
  add(kNoThread, 0, 1000);
  rows.end(ended);
  add(ended, 0, 2);  // counted late
  rows.end(named);
  add(named, 1, 20);
  const auto list = ThreadRows(rows).list();
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].amounts, (std::vector<std::uint64_t>{0, 30}));
  EXPECT_EQ(list[1].name, "other threads: 2");
  EXPECT_EQ(list[1].amounts, (std::vector<std::uint64_t>{9, 0, 1}));
}

}  // namespace
}  // namespace copse::shadowstack
