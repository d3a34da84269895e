#include "context_id/id_threads.h"

#include <gtest/gtest.h>

#include <new>
#include <vector>

#include "context_id/id_layout.h"
#include "support/scarce_memory.h"

namespace copse {
namespace {

using test::ScarceMemory;

TEST(IdThreads, StartAtRoot) {
  IdThreads threads(anonymous_memory(), kLostNumber);
  EXPECT_EQ(threads.attach(1, "main")->word, kRootNumber);
}

TEST(IdThreads, KeepNamesAndRuntimeIdsInOrder) {
  IdThreads threads(anonymous_memory(), kLostNumber);
  ThreadHeader* first = threads.attach(41, "first");
  ThreadHeader* second = threads.attach(7, "second");
  EXPECT_NE(first, second);
  threads.rename(second, "worker");
  threads.detach(first);
  const auto rows = threads.threads();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].name, "first");
  EXPECT_EQ(rows[0].runtime_id, 41);
  EXPECT_EQ(rows[0].index, ThreadIndex{0});
  EXPECT_EQ(rows[1].name, "worker");
  EXPECT_EQ(rows[1].runtime_id, 7);
  EXPECT_EQ(rows[1].index, ThreadIndex{1});
}

TEST(IdThreads, GiveAHeaderOfAThreadThatEndedToTheNextAndStartItAtRoot) {
  IdThreads threads(anonymous_memory(), kLostNumber);
  ThreadHeader* header = threads.attach(1, "first");
  header->word = (std::uint64_t{12} << kIdCodeShift) | 34;
  threads.detach(header);
  ThreadHeader* next = threads.attach(2, "next");
  EXPECT_EQ(next, header);
  EXPECT_EQ(next->word, kRootNumber);
  threads.rename(next, "renamed");
  EXPECT_EQ(threads.threads()[0].name, "first");
  EXPECT_EQ(threads.threads()[1].name, "renamed");
}

TEST(IdThreads, GiveNoHeaderToTwoThreadsWhenOneEndsTwice) {
  IdThreads threads(anonymous_memory(), kLostNumber);
  ThreadHeader* header = threads.attach(1, "once");
  threads.detach(header);
  threads.detach(header);
  EXPECT_NE(threads.attach(2, "a"), threads.attach(3, "b"));
}

TEST(IdThreads, WithoutMemoryShareAHeaderThatIsLost) {
  ScarceMemory memory(1, 1);
  IdThreads threads(memory, kLostNumber);
  std::vector<ThreadHeader*> headers;
  for (int i = 0; i < 600; ++i) headers.push_back(threads.attach(i, "many"));
  ThreadHeader* shared = headers.back();
  EXPECT_EQ(shared, headers[598]);
  EXPECT_EQ(shared->word, kLostNumber);
  EXPECT_EQ(headers[0]->word, kRootNumber);
  threads.rename(shared, "nobody's");
  threads.detach(shared);
  EXPECT_EQ(threads.attach(600, "late"), shared) << "it is nobody's to give back";
  threads.detach(headers[0]);
  EXPECT_EQ(threads.attach(601, "later"), headers[0]);
  EXPECT_EQ(threads.threads().size(), 602u);
}

TEST(IdThreads, ThrowWithoutMemoryToStartWith) {
  ScarceMemory no_addresses(0, 0);
  EXPECT_THROW(IdThreads(no_addresses, kLostNumber), std::bad_alloc);
  ScarceMemory no_pages(1, 0);
  EXPECT_THROW(IdThreads(no_pages, kLostNumber), std::bad_alloc);
}

TEST(IdThreads, CountNoCalls) {
  IdThreads threads(anonymous_memory(), kLostNumber);
  threads.attach(1, "main");
  threads.close();
  EXPECT_EQ(threads.calls_seen(), 0u);
  EXPECT_EQ(threads.calls_lost(), 0u);
  EXPECT_EQ(threads.packets(), 0u);
}

}  // namespace
}  // namespace copse
