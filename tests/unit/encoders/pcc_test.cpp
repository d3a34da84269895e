#include "encoders/replay/pcc.h"

#include <gtest/gtest.h>

#include <set>

#include "letters.h"

namespace copse::encoders {
namespace {

TEST(Pcc, ValueIsThreeTimesTheCallersPlusTheSitesConstant) {
  Pcc32Encoder pcc;
  auto& thread = enter(pcc, 'A', {edge("AB"), edge("BC", 2)});
  const auto ab = static_cast<std::uint32_t>(site_constant(site_key(edge("AB"))));
  const auto bc = static_cast<std::uint32_t>(site_constant(site_key(edge("BC", 2))));
  EXPECT_EQ(thread.frames.back().value, 3 * ab + bc);
}

TEST(Pcc, AReturnBringsTheCallersValueBack) {
  Pcc64Encoder pcc;
  auto& thread = enter(pcc, 'A', {edge("AB")});
  const Token before = token_of(pcc, thread);
  for (const EdgeKey step : {edge("BC"), edge("CD"), edge("DB")}) pcc.call(thread, step);
  pcc.unwind(thread, 3);
  EXPECT_EQ(token_of(pcc, thread), before);
}

TEST(Pcc, OrderOfCallsMatters) {
  Pcc32Encoder pcc;
  const Token one = token_of(pcc, enter(pcc, 'A', {edge("AA", 1), edge("AA", 2)}));
  const Token other = token_of(pcc, enter(pcc, 'A', {edge("AA", 2), edge("AA", 1)}));
  EXPECT_NE(one, other);
}

TEST(Pcc, TargetsOfOneSiteAreToldApartByTheEventsMethod) {
  Pcc32Encoder pcc;
  EXPECT_NE(token_of(pcc, enter(pcc, 'A', {edge("AB")})),
            token_of(pcc, enter(pcc, 'A', {edge("AC")})));
}

// All 299,592 paths of up to six of eight sites.
template <typename Word>
std::uint64_t collisions_of_short_paths() {
  std::set<Word> seen;
  std::uint64_t paths = 0;
  std::vector<Word> level = {0};
  for (int length = 1; length <= 6; ++length) {
    std::vector<Word> next;
    for (const Word value : level) {
      for (std::uint16_t site = 1; site <= 8; ++site) {
        next.push_back(PccEncoder<Word>::next(value, site_key(edge("AA", site))));
      }
    }
    seen.insert(next.begin(), next.end());
    paths += next.size();
    level = std::move(next);
  }
  EXPECT_EQ(paths, 299'592u);
  return paths - seen.size();
}

TEST(Pcc, ShortPathsCollideAboutAsOftenAsDrawnNumbers) {
  EXPECT_LE(collisions_of_short_paths<std::uint32_t>(), 40u);  // 10.4 expected
  EXPECT_EQ(collisions_of_short_paths<std::uint64_t>(), 0u);
}

TEST(Pcc, DecodeIsRefused) {
  Pcc32Encoder pcc;
  EXPECT_FALSE(pcc.decode(token_of(pcc, enter(pcc, 'A', {}))).ok());
}

}  // namespace
}  // namespace copse::encoders
