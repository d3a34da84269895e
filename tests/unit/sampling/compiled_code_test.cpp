#include "shadowstack/sampling/compiled_code.h"

#include <gtest/gtest.h>

#include <optional>
#include <utility>
#include <vector>

namespace copse::sampling {
namespace {

using Origin = CompiledCode::Origin;
using Piece = CompiledCode::Piece;
constexpr Origin kOwn{.is_own = true};

std::optional<Origin> origin(const CompiledCode& code, std::uint64_t address) {
  const auto place = code.place_of(address);
  return place ? std::optional(place->origin) : std::nullopt;
}

Piece piece(std::uint64_t begin, std::uint64_t end, const Origin& of_all) {
  Piece made(begin, end);
  made.add(end - 1, of_all);
  return made;
}

TEST(CompiledCode, HasTheOriginOfTheInstructionsUpToAndWithTheLastOneThatWasAdded) {
  CompiledCode code;
  EXPECT_EQ(origin(code, 100), std::nullopt);
  Piece added(100, 200);
  const auto chain = added.calls().with_call(0, 77);
  added.add(110, {.chain = chain});
  added.add(120, kOwn);
  added.add(130, kOwn);
  added.add(130, {});  // a second one for the same instruction says nothing
  added.add(90, kOwn);
  added.add(200, kOwn);
  code.put(std::move(added));
  for (const std::uint64_t at : {100, 110})
    EXPECT_EQ(origin(code, at), Origin{.chain = chain}) << at;
  for (const std::uint64_t at : {111, 120, 121, 130}) EXPECT_EQ(origin(code, at), kOwn) << at;
  for (const std::uint64_t at : {131, 199}) EXPECT_EQ(origin(code, at), Origin()) << at;
  for (const std::uint64_t at : {0, 99, 200}) EXPECT_EQ(origin(code, at), std::nullopt) << at;
  EXPECT_EQ(code.place_of(105)->calls->correct({}, kNoSite, chain).entered.size(), 1u);
}

TEST(CompiledCode, ForgetsAPieceThatIsRemovedAndKeepsItsCallsForReaders) {
  CompiledCode code;
  Piece added = piece(100, 200, kOwn);
  const auto chain = added.calls().with_call(0, 77);
  code.put(std::move(added));
  code.put(piece(200, 300, kOwn));
  const auto place = code.place_of(150);
  code.remove(110);  // no piece begins there
  EXPECT_EQ(origin(code, 150), kOwn);
  code.remove(100);
  EXPECT_EQ(origin(code, 150), std::nullopt);
  EXPECT_EQ(origin(code, 210), kOwn);
  EXPECT_EQ(place->calls->correct({}, kNoSite, chain).entered.size(), 1u);
  code.clear();
  EXPECT_EQ(origin(code, 210), std::nullopt);
}

// The JVM may give memory out again before it has told that the code there is gone.
TEST(CompiledCode, ForgetsPiecesThatANewOneOverlaps) {
  for (const auto& [begin, end] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{
           {100, 300}, {150, 250}, {50, 400}, {199, 201}}) {
    SCOPED_TRACE(begin);
    CompiledCode code;
    code.put(piece(20, 50, kOwn));
    code.put(piece(100, 200, kOwn));
    code.put(piece(200, 300, kOwn));
    code.put(piece(400, 500, kOwn));
    code.put(Piece(begin, end));
    for (const std::uint64_t gone : {100, 199, 200, 299})
      EXPECT_NE(origin(code, gone), kOwn) << gone;
    for (const std::uint64_t stays : {20, 49, 400, 499})
      EXPECT_EQ(origin(code, stays), kOwn) << stays;
  }
}

TEST(CompiledCode, LeavesNeighboursOfANewPieceAlone) {
  CompiledCode code;
  code.put(piece(100, 200, kOwn));
  code.put(piece(300, 400, kOwn));
  code.put(Piece(200, 300));
  EXPECT_EQ(origin(code, 199), kOwn);
  EXPECT_EQ(origin(code, 200), Origin());
  EXPECT_EQ(origin(code, 300), kOwn);
}

}  // namespace
}  // namespace copse::sampling
