#include "shadowstack/inlined_calls.h"

#include <gtest/gtest.h>

#include <vector>

namespace copse::shadowstack {
namespace {

using Path = std::vector<ContextKey>;

ContextKey key(unsigned site, unsigned method) {
  return context_key(SiteOrdinal{static_cast<std::uint16_t>(site)}, MethodId{method});
}

// The corrected path of a word: its frames, and a call site of the innermost.
Path corrected(const InlinedCalls& calls, Path frames, unsigned site, InlinedCalls::Chain chain) {
  const auto correction =
      calls.correct(frames, SiteOrdinal{static_cast<std::uint16_t>(site)}, chain);
  EXPECT_LE(correction.left, frames.size());
  frames.resize(frames.size() - correction.left);
  frames.insert(frames.end(), correction.entered.begin(), correction.entered.end());
  return frames;
}

TEST(InlinedCalls, HaveOneChainForTheSameCalls) {
  InlinedCalls calls;
  const auto one = calls.with_call(0, key(0, 1));
  const auto two = calls.with_call(one, key(5, 2));
  EXPECT_NE(one, two);
  EXPECT_EQ(calls.with_call(0, key(0, 1)), one);
  EXPECT_EQ(calls.with_call(one, key(5, 2)), two);
  EXPECT_NE(calls.with_call(one, key(6, 2)), two);
  EXPECT_NE(calls.with_call(0, key(0, 2)), two);
}

TEST(InlinedCalls, GoOnFromTheFrameOfTheCodesMethod) {
  InlinedCalls calls;
  const auto one = calls.with_call(0, key(0, 1));
  const auto two = calls.with_call(one, key(5, 2));
  const auto three = calls.with_call(two, key(6, 3));
  const auto other = calls.with_call(one, key(7, 4));
  const Path outer = {key(0, 9), key(4, 1)};
  const Path all = {key(0, 9), key(4, 1), key(5, 2), key(6, 3)};
  EXPECT_EQ(corrected(calls, outer, 0, three), all) << "no store of the callees is seen";
  EXPECT_EQ(corrected(calls, all, 8, three), all) << "the word is right";
  EXPECT_EQ(corrected(calls, all, 0, one), outer) << "the callees have returned";
  EXPECT_EQ(corrected(calls, all, 0, other), (Path{key(0, 9), key(4, 1), key(7, 4)}));
  EXPECT_EQ(corrected(calls, {key(0, 9)}, 4, three), all) << "no store of the code is seen";
}

TEST(InlinedCalls, DropNoFrameThatIsStillOnTheWay) {
  InlinedCalls calls;
  const auto two = calls.with_call(calls.with_call(0, key(0, 1)), key(5, 2));
  const auto three = calls.with_call(two, key(6, 3));
  const auto correction = calls.correct(Path{key(4, 1), key(5, 2)}, kNoSite, three);
  EXPECT_EQ(correction.left, 0u);
  EXPECT_EQ(correction.entered, (Path{key(6, 3)}));
}

// A frame between is not inlined: the code's method must have been called again.
TEST(InlinedCalls, DoNotTakeACallersFrameForTheirOwn) {
  InlinedCalls calls;
  const auto one = calls.with_call(0, key(0, 1));
  calls.with_call(one, key(5, 2));
  EXPECT_EQ(corrected(calls, {key(0, 1), key(3, 7)}, 4, one),
            (Path{key(0, 1), key(3, 7), key(4, 1)}));
}

TEST(InlinedCalls, OfCodeWhoseMethodHasNoProbesReplaceSiblings) {
  InlinedCalls calls;
  const auto first = calls.with_call(0, key(0, 1));
  const auto second = calls.with_call(0, key(0, 2));
  const auto below = calls.with_call(second, key(5, 3));
  EXPECT_EQ(corrected(calls, {key(0, 9), key(4, 1)}, 0, below),
            (Path{key(0, 9), key(4, 2), key(5, 3)}));
  EXPECT_EQ(corrected(calls, {key(0, 9)}, 4, first), (Path{key(0, 9), key(4, 1)}));
}

TEST(InlinedCalls, OfARecursionKeepItsDepthIfTheWordIsRight) {
  InlinedCalls calls;
  const auto once = calls.with_call(0, key(0, 1));
  const auto twice = calls.with_call(once, key(2, 1));
  const Path frames = {key(0, 1), key(2, 1), key(2, 1), key(2, 1)};
  EXPECT_EQ(corrected(calls, frames, 0, once), frames);
  EXPECT_EQ(corrected(calls, frames, 2, twice), frames);
}

TEST(InlinedCalls, GoWithoutFrames) {
  InlinedCalls calls;
  EXPECT_EQ(corrected(calls, {}, 0, calls.with_call(0, key(0, 1))), (Path{key(0, 1)}));
}

}  // namespace
}  // namespace copse::shadowstack
