#include "cct/inplace/slices.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "cct/inplace/inline_trees.h"
#include "support/inline_probe.h"
#include "support/plenty.h"

namespace copse::cct {
namespace {

using test::InlineProbe;
using test::kPlenty;

using Calls = std::map<std::vector<ContextKey>, std::uint64_t>;  // by path from ROOT
using CallsOfMethods = std::map<MethodId, std::uint64_t>;

std::uint32_t eight_call_sites(MethodId) { return 8; }

struct ProgramShape {
  std::uint64_t calls = 20000;
  unsigned methods = 30;
  unsigned slice_methods = 4;  // the first ones
  std::uint32_t deepest = 40;
  unsigned in_code = 0;  // per cent of places in frames where a slice begins in mid-frame
};

constexpr MethodId kInCode{1000};  // stands for the name of slices that begin in mid-frame

// A random program with slices, nested and recursive ones too, and the truth about the outermost ones. Frames end by
// returns or by an exception that a frame further up catches.
class SlicedProgram {
 public:
  struct Truth {
    MethodId method;
    Calls calls;
    std::uint64_t id = 0;  // of one that begins in mid-frame
  };

  SlicedProgram(InlineTrees& trees, std::int64_t thread, std::uint64_t seed,
                const ProgramShape& shape = {})
      : header_(trees.attach(thread, "worker " + std::to_string(thread))),
        probe_(trees, header_),
        random_(seed),
        shape_(shape) {}

  void run() {
    while (calls_ < shape_.calls) call(SiteOrdinal{0});
  }
  shadowstack::ThreadHeader* header() { return header_; }
  const std::vector<Truth>& truth() const { return truth_; }
  std::uint64_t calls() const { return calls_; }
  // Slices that could not be followed from their beginning.
  std::uint64_t refused() const { return refused_; }

 private:
  std::uint64_t begin_here(std::uint64_t frame, SiteOrdinal site) {
    probe_.call(frame - kInlineSlots, site);
    const bool has_slice = in_slice_;
    const std::uint64_t id =
        InlineTrees::begin_slice_here(header_, header_->word, false, [] { return kInCode; });
    probe_.restore(frame - kInlineSlots);
    EXPECT_TRUE(id == 0 || !has_slice);
    if (id == 0) {
      refused_ += has_slice ? 0 : 1;
      return 0;
    }
    in_slice_ = true;
    truth_.push_back({kInCode, {}, id});
    return id;
  }
  void end_here(std::uint64_t frame, std::uint64_t& id) {
    if (id == 0) return;
    probe_.call(frame - kInlineSlots, SiteOrdinal{3});
    InlineTrees::end_slice_here(header_, header_->word, id);
    probe_.restore(frame - kInlineSlots);
    in_slice_ = false;
    id = 0;
  }

  // Returns true if an exception goes on.
  bool call(SiteOrdinal site) {
    const auto any = [&] { return 1 + static_cast<unsigned>(random_() % shape_.methods); };
    const MethodId method{std::min(any(), any())};
    path_.push_back(context_key(site, method));
    ++calls_;
    const std::uint64_t frame = probe_.enter(method) + kInlineSlots;
    const bool is_sliced = raw(method) <= shape_.slice_methods;
    const bool is_outermost = is_sliced && !in_slice_;
    if (is_outermost) {
      in_slice_ = true;
      truth_.push_back({method, {}});
    }
    if (in_slice_) ++truth_.back().calls[path_];
    if (is_sliced) InlineTrees::begin_slice(header_, frame, false);
    bool throws = false;
    std::uint64_t here = 0;
    while (!throws && path_.size() < shape_.deepest && calls_ < shape_.calls &&
           random_() % 100 < 48) {
      const SiteOrdinal next{static_cast<std::uint16_t>(random_() % 5)};
      if (random_() % 3 == 0) end_here(frame, here);
      if (random_() % 100 < shape_.in_code && here == 0) here = begin_here(frame, next);
      probe_.call(frame - kInlineSlots, next);
      throws = call(next) && random_() % 4 != 0;
      probe_.restore(frame - kInlineSlots);
    }
    end_here(frame, here);
    throws = throws || random_() % 200 == 0;
    if (is_sliced) InlineTrees::end_slice(header_, frame);
    if (!throws || is_sliced) probe_.exit(frame - kInlineSlots);
    if (is_outermost) in_slice_ = false;
    path_.pop_back();
    if (path_.empty()) probe_.exit(frame - kInlineSlots);
    return throws;
  }

  shadowstack::ThreadHeader* const header_;
  InlineProbe probe_;
  std::mt19937_64 random_;
  const ProgramShape shape_;
  std::vector<ContextKey> path_;
  bool in_slice_ = false;
  std::uint64_t calls_ = 0;
  std::uint64_t refused_ = 0;
  std::vector<Truth> truth_;
};

Calls calls_of(const Slice& slice) {
  Calls calls;
  std::vector<std::vector<ContextKey>> paths = {slice.base};
  for (std::size_t i = 0; i < slice.nodes.size(); ++i) {
    if (i != 0) {
      paths.push_back(paths[raw(slice.nodes[i].parent)]);
      paths.back().push_back(slice.nodes[i].key);
    }
    if (slice.nodes[i].calls != 0) calls[paths[i]] += slice.nodes[i].calls;
  }
  return calls;
}

CallsOfMethods by_method(const Calls& calls) {
  CallsOfMethods sums;
  for (const auto& [path, count] : calls) sums[method_of(path.back())] += count;
  return sums;
}

std::uint64_t sum_of(const Calls& calls) {
  std::uint64_t sum = 0;
  for (const auto& [path, count] : calls) sum += count;
  return sum;
}

// Compares every slice with the truth. `same_paths` false: merged recursion has fewer contexts.
void expect_truth(const SlicesSoFar& told, const std::vector<SlicedProgram::Truth>& truth,
                  bool same_paths) {
  ASSERT_EQ(told.in_part, 0u);
  ASSERT_EQ(told.kept.size(), truth.size());
  std::map<MethodId, SliceSum> sums;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const Slice& slice = *told.kept[i].slice;
    ASSERT_EQ(slice.method, truth[i].method);
    ASSERT_EQ(slice.calls, sum_of(truth[i].calls));
    if (same_paths) {
      ASSERT_EQ(calls_of(slice), truth[i].calls) << "slice " << i;
    }
    ASSERT_EQ(by_method(calls_of(slice)), by_method(truth[i].calls)) << "slice " << i;
    SliceSum& sum = sums[slice.method];
    ++sum.slices;
    for (const auto& [method, calls] : by_method(truth[i].calls))
      sum.of(method).add(calls, slice.id);
  }
  ASSERT_EQ(told.sums.size(), sums.size());
  for (auto& [method, sum] : sums) {
    const SliceSum& found = told.sums.at(method);
    EXPECT_EQ(found.slices, sum.slices);
    ASSERT_EQ(found.called.size(), sum.called.size());
    for (const SliceSum::Called& called : found.called) {
      const CallsPerSlice& calls = sum.of(called.method);
      EXPECT_EQ(called.calls.slices(), calls.slices());
      EXPECT_EQ(called.calls.calls(), calls.calls());
      EXPECT_EQ(called.calls.most(), calls.most());
      EXPECT_EQ(called.calls.most_in(), calls.most_in());
    }
  }
}

constexpr std::uint64_t kScarce = 64 << 10;
// Keeps all slices of a test.
constexpr std::uint32_t kAllSlices = 1 << 20;

void check_one_thread(std::uint64_t memory, const RecursionOptions& recursion, bool same_paths,
                      unsigned in_code = 0) {
  const ProgramShape shape{.calls = memory == kPlenty ? 6000u : 3000u, .in_code = in_code};
  std::uint64_t evicted = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    InlineTrees trees(memory, eight_call_sites, shadowstack::anonymous_memory(), recursion);
    ASSERT_TRUE(trees.follow_slices(kAllSlices).ok());
    SlicedProgram program(trees, 1, seed, shape);
    program.run();
    trees.detach(program.header());
    trees.close();
    const std::optional<LaidSlices> told = trees.slices();
    ASSERT_TRUE(told.has_value());
    SlicesSoFar so_far = told->so_far;
    for (const LaidSlice& kept : told->kept) so_far.kept.push_back({kept.slice, kept.as});
    expect_truth(so_far, program.truth(), same_paths);
    EXPECT_EQ(trees.calls_seen(), program.calls());
    // The recording has at least the slice's calls in each of its contexts. A context that was evicted and called again
    // has the later calls alone.
    const bool has_all = trees.tree().evicted().contexts == 0;
    evicted += trees.tree().evicted().contexts;
    for (const LaidSlice& kept : told->kept) {
      std::uint64_t calls = kept.calls_left_out;
      for (const LaidSlice::Context& context : kept.contexts) {
        calls += context.calls;
        if (has_all) {
          EXPECT_LE(context.calls, trees.tree().node(context.node).calls);
        }
      }
      EXPECT_EQ(kept.calls_left_out, 0u);
      EXPECT_EQ(calls, kept.slice->calls);
    }
  }
  EXPECT_EQ(evicted == 0, memory == kPlenty);
}

TEST(Slices, HaveTheCallsOfOutermostFramesInTheirContexts) { check_one_thread(kPlenty, {}, true); }

TEST(Slices, LoseNothingInATreeThatShrinks) { check_one_thread(kScarce, {}, true); }

TEST(Slices, BeginInMidFrame) {
  check_one_thread(kPlenty, {}, true, 10);
  check_one_thread(kScarce, {}, true, 10);
}

// Some cannot be followed then. The others have all their calls.
TEST(Slices, InMidFrameAreRightOrInPartWhereRecursionIsMerged) {
  std::size_t whole = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    InlineTrees trees(seed % 2 == 0 ? kPlenty : kScarce, eight_call_sites,
                      shadowstack::anonymous_memory(), {.recursion = Recursion::kMerge});
    ASSERT_TRUE(trees.follow_slices(kAllSlices).ok());
    SlicedProgram program(trees, 1, seed, {.calls = 3000, .slice_methods = 0, .in_code = 10});
    program.run();
    trees.detach(program.header());
    trees.close();
    const std::optional<LaidSlices> told = trees.slices();
    whole += told->kept.size();
    EXPECT_EQ(told->kept.size() + told->so_far.in_part, program.truth().size() + program.refused());
    for (const LaidSlice& kept : told->kept) {
      const auto truth =
          std::ranges::find(program.truth(), kept.slice->id, &SlicedProgram::Truth::id);
      ASSERT_NE(truth, program.truth().end());
      ASSERT_EQ(by_method(calls_of(*kept.slice)), by_method(truth->calls)) << "slice " << truth->id;
    }
  }
  EXPECT_GT(whole, 100u);
}

TEST(Slices, HaveAllCallsWhereRecursionIsMerged) {
  check_one_thread(kPlenty, {.recursion = Recursion::kMerge}, false);
  check_one_thread(kScarce, {.recursion = Recursion::kMerge}, false);
}

TEST(Slices, HaveAllCallsWhenRecursionIsMergedLater) {
  check_one_thread(kPlenty, {.recursion = Recursion::kAuto, .look_at = 500}, false);
}

TEST(Slices, OfSeveralThreadsAreTheirOwn) {
  InlineTrees trees(kPlenty, eight_call_sites);
  ASSERT_TRUE(trees.follow_slices(kAllSlices).ok());
  std::vector<SlicedProgram> programs;
  for (int i = 1; i <= 4; ++i) programs.emplace_back(trees, i, 77 + i, ProgramShape{.calls = 5000});
  std::vector<std::thread> threads;
  for (SlicedProgram& program : programs) {
    threads.emplace_back([&] {
      program.run();
      trees.detach(program.header());
    });
  }
  while (trees.calls_seen() == 0) {  // until the first thread has ended
    const Result<RecordingSnapshot> snapshot = trees.snapshot();
    ASSERT_TRUE(snapshot.ok());
    ASSERT_TRUE(snapshot->slices.has_value());
  }
  for (std::thread& thread : threads) thread.join();
  trees.close();
  std::map<std::string, SlicesSoFar> by_thread;
  const std::optional<LaidSlices> told = trees.slices();
  for (const LaidSlice& kept : told->kept) {
    by_thread[kept.slice->thread].kept.push_back({kept.slice, kept.as});
  }
  for (std::size_t i = 0; i < programs.size(); ++i) {
    const auto& kept = by_thread["worker " + std::to_string(i + 1)].kept;
    const auto& truth = programs[i].truth();
    ASSERT_EQ(kept.size(), truth.size());
    for (std::size_t slice = 0; slice < truth.size(); ++slice) {
      ASSERT_EQ(calls_of(*kept[slice].slice), truth[slice].calls);
    }
  }
}

SliceFacts facts(std::uint64_t id, std::uint64_t wall_ns, std::uint64_t calls) {
  SliceFacts facts;
  facts.id = id;
  facts.method = MethodId{1};
  facts.wall_ns = wall_ns;
  facts.calls = calls;
  return facts;
}

TEST(Slices, KeepTheSlowestThoseWithMostCallsAndASample) {
  constexpr std::uint64_t kSlices = 10000;
  Slices slices(5);
  for (std::uint64_t i = 1; i <= kSlices; ++i) {
    const std::vector<ContextNode> nodes = {
        {kRootNode, context_key(kNoSite, MethodId{1}), kSlices - i + 1}};
    slices.add(facts(slices.next_id(), i, kSlices - i + 1), nodes, [](Slice&) {});
  }
  const SlicesSoFar told = slices.so_far();
  std::uint64_t slowest = 0, most_calls = 0, sample = 0;
  for (const KeptSlice& kept : told.kept) {
    if ((kept.as & kSlowest) != 0) {
      ++slowest;
      EXPECT_GT(kept.slice->id, kSlices - 5);
    }
    if ((kept.as & kMostCalls) != 0) {
      ++most_calls;
      EXPECT_LE(kept.slice->id, 5u);
    }
    if ((kept.as & kSample) != 0) ++sample;
  }
  EXPECT_EQ(slowest, 5u);
  EXPECT_EQ(most_calls, 5u);
  EXPECT_EQ(sample, 5u);
  EXPECT_EQ(told.sums.at(MethodId{1}).slices, kSlices);
}

TEST(Slices, AreSampledUniformly) {
  constexpr std::uint64_t kSlices = 20000, kKept = 2000;
  Slices slices(kKept);
  for (std::uint64_t i = 1; i <= kSlices; ++i) {
    slices.add(facts(slices.next_id(), 1, 1), {}, [](Slice&) {});
  }
  std::uint64_t in_first_half = 0, sample = 0;
  for (const KeptSlice& kept : slices.so_far().kept) {
    if ((kept.as & kSample) == 0) continue;
    ++sample;
    if (kept.slice->id <= kSlices / 2) ++in_first_half;
  }
  EXPECT_EQ(sample, kKept);
  EXPECT_NEAR(static_cast<double>(in_first_half), kKept / 2.0, 120);
}

TEST(CallsPerSlice, HaveBucketsNarrowerThanOnePercent) {
  std::mt19937_64 random(5);
  CallsPerSlice calls;
  std::uint64_t most = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t number = 1 + (random() >> (random() % 63));
    most = std::max(most, number);
    calls.add(number, 1);
    const std::uint64_t least = CallsPerSlice::least_in_bucket(number);
    ASSERT_LE(least, number);
    ASSERT_LE(static_cast<double>(number - least), 0.008 * static_cast<double>(number));
    if (number < CallsPerSlice::kExact) {
      ASSERT_EQ(least, number);
    }
  }
  EXPECT_EQ(calls.most(), most);
  std::uint64_t slices = 0;
  for (const CallsPerSlice::Bucket& bucket : calls.buckets()) slices += bucket.slices;
  EXPECT_EQ(slices, calls.slices());
  EXPECT_TRUE(std::ranges::is_sorted(calls.buckets(), {}, &CallsPerSlice::Bucket::least));
}

// A program may forget to close a slice, or close it in another frame.
TEST(Slices, InMidFrameThatAreClosedElsewhereCountAsFollowedInPart) {
  InlineTrees trees(kPlenty, eight_call_sites);
  ASSERT_TRUE(trees.follow_slices(10, false).ok());
  shadowstack::ThreadHeader* const header = trees.attach(1, "main");
  InlineProbe probe(trees, header);
  const auto begin = [&] {
    return InlineTrees::begin_slice_here(header, header->word, false, [] { return kInCode; });
  };
  const auto end = [&](std::uint64_t id) { InlineTrees::end_slice_here(header, header->word, id); };
  // Calls `body` in a frame of the method, and a method before and behind.
  const auto in_frame = [&](MethodId method, auto body) {
    const std::uint64_t frame = probe.enter(method);
    probe.call(frame, SiteOrdinal{1});
    probe.exit(probe.enter(MethodId{9}));
    probe.call(frame, SiteOrdinal{2});
    body();
    probe.call(frame, SiteOrdinal{1});
    probe.exit(probe.enter(MethodId{9}));
    probe.exit(frame);
  };
  const auto call = [&] { probe.exit(probe.enter(MethodId{8})); };
  EXPECT_EQ(trees.snapshot()->slices, std::nullopt);
  in_frame(MethodId{1}, [&] {
    for (int round = 0; round < 3; ++round) {
      std::uint64_t id = 0;
      in_frame(MethodId{2}, [&] { id = begin(); });  // it returns
      end(id);
      id = begin();
      in_frame(MethodId{3}, [&] { end(id); });  // a callee closes it
      in_frame(MethodId{4}, [&] { begin(); });  // and this one is inside it
      id = begin();
      in_frame(MethodId{5}, [&] { EXPECT_EQ(begin(), 0u); });
      end(id + 1);
      end(id);
      end(id);
    }
  });
  for (int round = 0; round < 3; ++round) in_frame(MethodId{6}, begin);  // forgotten
  in_frame(MethodId{7}, [&] {
    const std::uint64_t id = begin();
    call();
    end(id);
  });
  trees.detach(header);
  trees.close();
  const std::optional<LaidSlices> told = trees.slices();
  EXPECT_EQ(told->so_far.in_part, 9u);
  ASSERT_EQ(told->kept.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(told->kept[i].slice->calls, i < 3 ? 3u : 1u) << i;
}

// A slice whose frame was left without its probe, as a stack overflow does it.
TEST(Slices, ThatWereLeftOpenEndWithTheNextOne) {
  InlineTrees trees(kPlenty, eight_call_sites);
  ASSERT_TRUE(trees.follow_slices(10).ok());
  shadowstack::ThreadHeader* const header = trees.attach(1, "main");
  InlineProbe probe(trees, header);
  const auto slice = [&](bool ends) {
    const std::uint64_t frame = probe.enter(MethodId{1});
    InlineTrees::begin_slice(header, frame + kInlineSlots, false);
    probe.call(frame, SiteOrdinal{1});
    probe.exit(probe.enter(MethodId{2}));
    if (ends) InlineTrees::end_slice(header, frame + kInlineSlots);
    probe.exit(frame);
  };
  slice(true);
  slice(false);
  slice(true);
  const std::uint64_t caller = probe.enter(MethodId{3});
  probe.call(caller, SiteOrdinal{1});
  slice(false);
  probe.exit(caller);
  slice(true);
  trees.detach(header);
  trees.close();
  const std::optional<LaidSlices> told = trees.slices();
  EXPECT_EQ(told->so_far.in_part, 2u);
  ASSERT_EQ(told->kept.size(), 3u);
  for (const LaidSlice& kept : told->kept) EXPECT_EQ(kept.slice->calls, 2u);
}

TEST(Slices, ThatAreOpenAtTheEndAreCounted) {
  InlineTrees trees(kPlenty, eight_call_sites);
  ASSERT_TRUE(trees.follow_slices(10).ok());
  shadowstack::ThreadHeader* const header = trees.attach(1, "main");
  InlineProbe probe(trees, header);
  const std::uint64_t frame = probe.enter(MethodId{1});
  InlineTrees::begin_slice(header, frame + kInlineSlots, false);
  EXPECT_EQ(trees.snapshot()->slices->so_far.open, 1u);
  trees.close();
  InlineTrees::end_slice(header, frame + kInlineSlots);
  const std::optional<LaidSlices> told = trees.slices();
  EXPECT_EQ(told->so_far.open, 1u);
  EXPECT_TRUE(told->kept.empty());
  EXPECT_EQ(trees.calls_seen(), 1u);
}

TEST(Slices, FromBeforeTheRecordingAreLeftOut) {
  InlineTrees trees(kPlenty, eight_call_sites);
  ASSERT_TRUE(trees.follow_slices(kAllSlices).ok());
  trees.wait_to_begin();
  SlicedProgram program(trees, 1, 3, {.calls = 1000});
  program.run();
  const std::size_t before = program.truth().size();
  ASSERT_TRUE(trees.begin().ok());
  SlicedProgram later(trees, 2, 4, {.calls = 3000});
  later.run();
  trees.close();
  const std::optional<LaidSlices> told = trees.slices();
  EXPECT_GT(before, 0u);
  EXPECT_EQ(told->kept.size(), later.truth().size());
  EXPECT_EQ(told->kept.front().slice->id, 1u);
}

TEST(Slices, AroundAnExcerptCountAsFollowedInPart) {
  InlineTrees trees(kPlenty, eight_call_sites);
  ASSERT_TRUE(trees.follow_slices(10).ok());
  shadowstack::ThreadHeader* const header = trees.attach(1, "main");
  InlineProbe probe(trees, header);
  const auto in_excerpt = [&](auto body) {
    const std::uint64_t word = header->word;
    header->word = InlineTrees::begin_excerpt(header, word, InlineTrees::Whose::kOwnCalls);
    const std::uint64_t slot = header->word;
    body();
    header->word = word;
    EXPECT_TRUE(InlineTrees::end_excerpt(header, slot).has_value());
  };
  const auto slice = [&](auto body) {
    const std::uint64_t frame = probe.enter(MethodId{1});
    InlineTrees::begin_slice(header, frame + kInlineSlots, false);
    probe.call(frame, SiteOrdinal{1});
    body();
    probe.restore(frame);
    InlineTrees::end_slice(header, frame + kInlineSlots);
    probe.exit(frame);
  };
  const auto call = [&] { probe.exit(probe.enter(MethodId{2})); };
  slice([&] { in_excerpt(call); });
  in_excerpt([&] { slice(call); });
  slice(call);
  trees.detach(header);
  trees.close();
  const std::optional<LaidSlices> told = trees.slices();
  EXPECT_EQ(told->so_far.in_part, 1u);
  ASSERT_EQ(told->kept.size(), 2u);
  for (const LaidSlice& kept : told->kept) EXPECT_EQ(kept.slice->calls, 2u);
}

}  // namespace
}  // namespace copse::cct
