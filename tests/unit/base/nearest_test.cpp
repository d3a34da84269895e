#include "base/nearest.h"

#include <gtest/gtest.h>

#include <utility>

namespace copse {
namespace {

TEST(Nearest, CountsMistakesASwapOnce) {
  EXPECT_EQ(edit_distance("report", "report"), 0u);
  EXPECT_EQ(edit_distance("reprot", "report"), 1u);
  EXPECT_EQ(edit_distance("repot", "report"), 1u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
}

TEST(Nearest, IsTheOneThatWasMostLikelyMeant) {
  const std::vector<std::string> known = {"run", "record", "recover", "report"};
  EXPECT_EQ(nearest("rnu", known), "run");
  EXPECT_EQ(nearest("reprot", known), "report");
  EXPECT_EQ(nearest("reco", known), "record") << "begun right";
  EXPECT_EQ(nearest("RUN", known), "run") << "in another case";
  EXPECT_EQ(nearest("port", known), "report") << "a part of it";
  EXPECT_EQ(nearest("rec", {"indirect", "direct"}), "") << "a part of several";
  EXPECT_EQ(nearest("direc", {"indirect", "redirect"}), "indirect");
  EXPECT_EQ(nearest("xyz", known), "");
  EXPECT_EQ(nearest("x", {}), "");
}

TEST(Nearest, ComparesQualifiedNamesByTheirLastComponents) {
  const std::vector<std::string> known = {"shop.Db.find", "shop.Packer.packChunk", "shop.Db$Row"};
  for (const auto& [typed, meant] : {std::pair("packch", "shop.Packer.packChunk"),
                                     {"chunk", "shop.Packer.packChunk"},
                                     {"FIND", "shop.Db.find"},
                                     {"fnid", "shop.Db.find"},
                                     {"db.fnd", "shop.Db.find"},
                                     {"Db.Rwo", "shop.Db$Row"},
                                     {"row", "shop.Db$Row"},
                                     {"shop.Db.fin", "shop.Db.find"},
                                     {"in", ""},
                                     {"Zz.f", ""},
                                     {"other", ""}}) {
    EXPECT_EQ(nearest(typed, known), meant) << typed;
  }
}

}  // namespace
}  // namespace copse
