#include "encoders/ids/id_threads.h"

#include <gtest/gtest.h>

#include <new>
#include <set>
#include <vector>

#include "encoders/ids/id_layout.h"
#include "support/scarce_memory.h"

namespace copse::ids {
namespace {

using test::ScarceMemory;

TEST(IdThreads, StartAtRoot) {
  IdThreads threads(shadowstack::anonymous_memory(), kLostNumber);
  EXPECT_EQ(threads.attach(1, "main")->word, kRootNumber);
}

TEST(IdThreads, GiveThreadsThatLiveHeadersOfTheirOwn) {
  IdThreads threads(shadowstack::anonymous_memory(), kLostNumber);
  std::set<shadowstack::ThreadHeader*> headers;
  for (int i = 0; i < 5000; ++i) headers.insert(threads.attach(i, ""));
  EXPECT_EQ(headers.size(), 5000u);
}

TEST(IdThreads, GiveAHeaderOfAThreadThatEndedToTheNextAndStartItAtRoot) {
  IdThreads threads(shadowstack::anonymous_memory(), kLostNumber);
  shadowstack::ThreadHeader* header = threads.attach(1, "first");
  header->word = (std::uint64_t{12} << encoders::kIdCodeShift) | 34;
  threads.detach(header);
  shadowstack::ThreadHeader* next = threads.attach(2, "next");
  EXPECT_EQ(next, header);
  EXPECT_EQ(next->word, kRootNumber);
}

TEST(IdThreads, GiveNoHeaderToTwoThreadsWhenOneEndsTwice) {
  IdThreads threads(shadowstack::anonymous_memory(), kLostNumber);
  shadowstack::ThreadHeader* header = threads.attach(1, "once");
  threads.detach(header);
  threads.detach(header);
  EXPECT_NE(threads.attach(2, "a"), threads.attach(3, "b"));
}

TEST(IdThreads, ListEveryThreadByItsLastName) {
  IdThreads threads(shadowstack::anonymous_memory(), kLostNumber);
  shadowstack::ThreadHeader* main = threads.attach(1, "main");
  shadowstack::ThreadHeader* worker = threads.attach(7, "Thread-0");
  threads.rename(worker, "worker");
  threads.detach(worker);
  threads.rename(worker, "too late");
  threads.detach(threads.attach(8, ""));
  threads.rename(main, "renamed");
  const std::vector<shadowstack::ThreadRow> list = threads.threads();
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[0].name, "renamed");
  EXPECT_EQ(list[0].runtime_id, 1);
  EXPECT_EQ(list[1].name, "worker");
  EXPECT_EQ(list[1].runtime_id, 7);
  EXPECT_EQ(list[2].name, "other threads: 1");
}

TEST(IdThreads, WithoutMemoryShareAHeaderThatIsLost) {
  ScarceMemory memory(1, 1);
  IdThreads threads(memory, kLostNumber);
  std::vector<shadowstack::ThreadHeader*> headers;
  for (int i = 0; i < 600; ++i) headers.push_back(threads.attach(i, "many"));
  shadowstack::ThreadHeader* shared = headers.back();
  EXPECT_EQ(shared, headers[598]);
  EXPECT_EQ(shared->word, kLostNumber);
  EXPECT_EQ(headers[0]->word, kRootNumber);
  EXPECT_EQ(threads.frame_word(shared, 1234), kLostNumber) << "its frame is not known";
  EXPECT_EQ(threads.frame_word(headers[0], 1234), 1234u);
  threads.rename(shared, "too late");
  threads.detach(shared);
  EXPECT_EQ(threads.attach(600, "late"), shared) << "no thread can give it back";
  threads.detach(headers[0]);
  EXPECT_EQ(threads.attach(601, "later"), headers[0]);
}

TEST(IdThreads, ThrowWithoutMemoryToStartWith) {
  ScarceMemory no_addresses(0, 0);
  EXPECT_THROW(IdThreads(no_addresses, kLostNumber), std::bad_alloc);
  ScarceMemory no_pages(1, 0);
  EXPECT_THROW(IdThreads(no_pages, kLostNumber), std::bad_alloc);
}

TEST(IdThreads, CountNoCalls) {
  IdThreads threads(shadowstack::anonymous_memory(), kLostNumber);
  threads.attach(1, "main");
  threads.close();
  EXPECT_EQ(threads.calls_seen(), 0u);
  EXPECT_EQ(threads.calls_lost(), 0u);
  EXPECT_EQ(threads.packets(), 0u);
}

}  // namespace
}  // namespace copse::ids
