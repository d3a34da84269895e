// Exact allocations: what a probe counts in its thread's table, and what the slow path does, add
// up.
#include "encoders/ids/allocation_counts.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <memory>
#include <random>
#include <thread>

#include "encoders/events/event_threads.h"
#include "encoders/numbering/segment.h"
#include "support/plenty.h"

namespace copse::ids {
namespace {

using test::kPlenty;

// Counts an allocation as CopseAllocations.add() does.
void allocate(AllocationCounts& counts, shadowstack::ThreadHeader& header, std::uint64_t word,
              std::uint64_t bytes) {
  const std::uint64_t table = header.allocations;
  if (table != 0) {
    const std::uint64_t index = word * kAllocationMultiplier >> ((64 - (table & 63)) & 63);
    auto& entry = reinterpret_cast<AllocationEntry*>(table & ~std::uint64_t{63})[index];
    if (entry.word == word) {
      const auto add = [](std::uint64_t& field, std::uint64_t value) {
        std::atomic_ref<std::uint64_t> cell(field);
        cell.store(cell.load(std::memory_order_relaxed) + value, std::memory_order_relaxed);
      };
      add(entry.count, 1);
      add(entry.bytes, bytes);
      return;
    }
  }
  counts.add(header, word, bytes);
}

class AllocationCountsTest : public testing::Test {
 protected:
  AllocationCountsTest() {
    threads.at_end([this](events::EventThread& thread) { counts.end(thread); });
    // Words of frames of method 1 to 400, code 0.
    for (std::uint32_t method = 1; method <= 400; ++method) {
      words.push_back(static_cast<std::uint64_t>(ids.place(MethodId{method}, 0).value()));
    }
  }
  std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> sums() const {
    std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> by_id;
    for (const auto& sum : ids.events(events::EventKind::kExactAllocation).sums) {
      by_id[sum.id] = {sum.count, sum.weight};
    }
    return by_id;
  }

  ContextIds ids{std::make_unique<encoders::SegmentNumbering>(), kPlenty};
  events::EventThreads threads{ids.threads(), nullptr};
  AllocationCounts counts{ids};
  std::vector<std::uint64_t> words;
};

TEST_F(AllocationCountsTest, AddUpToWhatEachContextAllocatedWhileOthersCollect) {
  const std::uint64_t seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  constexpr int kThreads = 4;
  constexpr int kAllocations = 200'000;
  std::array<std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>>, kThreads> expected;
  std::jthread collecting([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      threads.for_each_live([&](events::EventThread& thread) { counts.collect(thread); });
    }
  });
  {
    std::vector<std::jthread> running;
    for (int number = 0; number < kThreads; ++number) {
      running.emplace_back([&, number] {
        std::mt19937_64 random(seed + static_cast<std::uint64_t>(number));
        shadowstack::ThreadHeader* header = threads.attach(number, "");
        for (int i = 0; i < kAllocations; ++i) {
          // Some contexts often, all of them now and then.
          const std::size_t at = random() % (random() % 8 == 0 ? words.size() : 5);
          const std::uint64_t bytes = 8 * (random() % 100);
          allocate(counts, *header, words[at], bytes);
          auto& [count, sum] = expected[static_cast<std::size_t>(number)][ids.id_of(words[at])];
          ++count;
          sum += bytes;
        }
        threads.detach(header);
        EXPECT_EQ(header->allocations, 0u);
      });
    }
  }
  collecting.request_stop();
  collecting.join();
  std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> all;
  for (const auto& one : expected) {
    for (const auto& [id, sum] : one) {
      all[id].first += sum.first;
      all[id].second += sum.second;
    }
  }
  EXPECT_EQ(sums(), all);
  EXPECT_EQ(ids.events(events::EventKind::kExactAllocation).lost, 0u);
}

TEST_F(AllocationCountsTest, ArePartOfTheSumsOnceTheyAreCollected) {
  shadowstack::ThreadHeader* header = threads.attach(1, "");
  for (int i = 0; i < 10; ++i) allocate(counts, *header, words[3], 24);
  EXPECT_TRUE(sums().empty());
  for (int round = 0; round < 2; ++round) {
    threads.for_each_live([&](events::EventThread& thread) { counts.collect(thread); });
    EXPECT_EQ(sums().at(ids.id_of(words[3])), std::pair(std::uint64_t{10}, std::uint64_t{240}));
  }
  threads.detach(header);
}

TEST_F(AllocationCountsTest, OfAThreadThatHasEndedOrHasNoTableCountOneByOne) {
  shadowstack::ThreadHeader* header = threads.attach(1, "");
  threads.detach(header);
  allocate(counts, *header, words[0], 16);
  shadowstack::ThreadHeader unowned;
  allocate(counts, unowned, words[0], 16);
  EXPECT_EQ(sums().at(ids.id_of(words[0])), std::pair(std::uint64_t{2}, std::uint64_t{32}));
  EXPECT_EQ(unowned.allocations, 0u);
}

TEST_F(AllocationCountsTest, WithoutAContextAreCountedAsLost) {
  shadowstack::ThreadHeader* header = threads.attach(1, "");
  for (int i = 0; i < 3; ++i) allocate(counts, *header, kLostNumber, 8);
  threads.detach(header);
  const ContextIds::Events events = ids.events(events::EventKind::kExactAllocation);
  EXPECT_EQ(events.seen, 3u);
  EXPECT_EQ(events.lost, 3u);
  EXPECT_EQ(events.lost_weight, 24u);
}

}  // namespace
}  // namespace copse::ids
