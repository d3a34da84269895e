// The sampler: the processor time of a thread, all of it, where its word stood.
#include "context_id/cpu_sampler.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>

#include "encoders/numbering/segment.h"
#include "support/plenty.h"

namespace copse::context_id {
namespace {

using test::kPlenty;

// As probes do while words are watched.
void store_word(shadowstack::ThreadHeader& header, std::uint64_t word) {
  std::atomic_ref<std::uint64_t>(header.word).store(word, std::memory_order_relaxed);
}

std::uint64_t own_processor_time() {
  clockid_t clock{};
  EXPECT_EQ(pthread_getcpuclockid(pthread_self(), &clock), 0);
  return events::processor_time_ns(clock);
}

void work_for(std::uint64_t ns) {
  const std::uint64_t end = own_processor_time() + ns;
  while (own_processor_time() < end) {
  }
}

class CpuSamplerTest : public testing::Test {
 protected:
  CpuSamplerTest() {
    threads.at_end([this](events::EventThread& thread) { sampler.end_of(thread); });
    for (std::uint32_t method = 1; method <= 2; ++method) {
      words.push_back(static_cast<std::uint64_t>(ids.place(MethodId{method}, 0).value()));
    }
  }
  ~CpuSamplerTest() override { threads.close(); }

  std::uint64_t weight_of(std::uint64_t word) const {
    for (const auto& sum : ids.events(events::EventKind::kCpu).sums) {
      if (sum.id == ids.id_of(word)) return sum.weight;
    }
    return 0;
  }

  static std::uint64_t rest_weight(const ContextIds::Events& events) {
    return events.outside[static_cast<std::size_t>(events::Outside::kEndedBeforeNextLook)].weight;
  }

  ContextIds ids{std::make_unique<encoders::SegmentNumbering>(), kPlenty};
  events::EventThreads threads{ids.threads(), nullptr};
  CpuSampler sampler{threads, ids};
  std::vector<std::uint64_t> words;
};

// Each on a system thread of its own, whose clock it is.
TEST_F(CpuSamplerTest, GivesAllProcessorTimeAndItsRestAPlaceOfItsOwn) {
  std::jthread([&] {
    const std::uint64_t before = own_processor_time();
    shadowstack::ThreadHeader* header = threads.attach(1, "");
    const std::uint64_t attached = own_processor_time();
    store_word(*header, words[0]);
    work_for(30'000'000);
    sampler.sample();
    store_word(*header, words[1]);
    work_for(10'000'000);
    sampler.sample();
    work_for(5'000'000);
    const std::uint64_t ending = own_processor_time();
    threads.detach(header);
    const std::uint64_t after = own_processor_time();
    const ContextIds::Events events = ids.events(events::EventKind::kCpu);
    const std::uint64_t rest = rest_weight(events);
    const std::uint64_t all = weight_of(words[0]) + weight_of(words[1]) + rest;
    EXPECT_GE(all, ending - attached);
    EXPECT_LE(all, after - before);
    EXPECT_GE(weight_of(words[0]), 30'000'000u);
    EXPECT_GE(weight_of(words[1]), 10'000'000u);
    EXPECT_GE(rest, 5'000'000u);
    EXPECT_EQ(events.seen, 2u);
    EXPECT_EQ(events.lost, 0u);
    EXPECT_EQ(events.lost_weight, 0u);
  }).join();
}

TEST_F(CpuSamplerTest, AThreadThatDoesNotRunHasNoEvents) {
  std::atomic<bool> done{false};
  std::atomic<bool> waits{false};
  std::jthread sleeper([&] {
    shadowstack::ThreadHeader* header = threads.attach(1, "");
    store_word(*header, words[0]);
    waits.store(true);
    waits.notify_one();
    done.wait(false);
    threads.detach(header);
  });
  waits.wait(false);
  // Until what it used to go to sleep is sampled.
  for (std::uint64_t seen = ~std::uint64_t{0}; seen != ids.events(events::EventKind::kCpu).seen;) {
    seen = ids.events(events::EventKind::kCpu).seen;
    sampler.sample();
    work_for(20'000'000);
    sampler.sample();
  }
  const std::uint64_t before = ids.events(events::EventKind::kCpu).seen;
  for (int i = 0; i < 100; ++i) sampler.sample();
  EXPECT_EQ(ids.events(events::EventKind::kCpu).seen, before);
  done.store(true);
  done.notify_one();
}

TEST_F(CpuSamplerTest, ASecondThreadOnTheSameSystemThreadHasNoClock) {
  std::jthread([&] {
    shadowstack::ThreadHeader* carrier = threads.attach(1, "");
    shadowstack::ThreadHeader* carried = threads.attach(2, "");
    store_word(*carrier, words[0]);
    store_word(*carried, words[1]);
    work_for(5'000'000);
    sampler.sample();
    EXPECT_GE(weight_of(words[0]), 5'000'000u);
    EXPECT_EQ(weight_of(words[1]), 0u);
    threads.detach(carried);
    threads.detach(carrier);
    shadowstack::ThreadHeader* next = threads.attach(3, "");
    store_word(*next, words[1]);
    work_for(5'000'000);
    sampler.sample();
    EXPECT_GE(weight_of(words[1]), 5'000'000u);
    threads.detach(next);
  }).join();
}

TEST_F(CpuSamplerTest, ThreadsMayEndWhileTheyAreSampled) {
  std::jthread sampling([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) sampler.sample();
  });
  for (int round = 0; round < 50; ++round) {
    std::vector<std::jthread> running;
    for (int i = 0; i < 4; ++i) {
      running.emplace_back([&] {
        shadowstack::ThreadHeader* header = threads.attach(1, "");
        store_word(*header, words[0]);
        work_for(100'000);
        store_word(*header, kRootNumber);
        threads.detach(header);
      });
    }
  }
  const ContextIds::Events events = ids.events(events::EventKind::kCpu);
  const std::uint64_t at_root = events.outside[0].weight;
  EXPECT_GE(weight_of(words[0]) + at_root + rest_weight(events), 50u * 4 * 100'000);
  EXPECT_EQ(events.lost_weight, 0u);
}

}  // namespace
}  // namespace copse::context_id
