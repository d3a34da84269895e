#include "base/java_type.h"

#include <gtest/gtest.h>

#include <vector>

namespace copse {
namespace {

std::vector<std::string> types(std::string_view descriptor) {
  std::vector<std::string> all;
  while (!descriptor.empty()) {
    all.push_back(take_java_type(descriptor));
    if (all.back().empty()) break;
  }
  return all;
}

TEST(JavaType, SpellsWhatADescriptorHasAsSourcesDo) {
  EXPECT_EQ(types("ZBCSIJFD"), (std::vector<std::string>{"boolean", "byte", "char", "short", "int",
                                                         "long", "float", "double"}));
  EXPECT_EQ(types("Ljava/util/Map$Entry;[[I[LMain;"),
            (std::vector<std::string>{"java.util.Map$Entry", "int[][]", "Main[]"}));
}

TEST(JavaType, LeavesOutWhatTellsHiddenClassesApart) {
  EXPECT_EQ(types("Ldemo/Main$$Lambda.0x000000080012;Ldemo/Main$$Lambda$14.0x12;I"),
            (std::vector<std::string>{"demo.Main$$Lambda", "demo.Main$$Lambda", "int"}));
  EXPECT_EQ(types("Ldemo/Main$$Lambda$x;"), (std::vector<std::string>{"demo.Main$$Lambda$x"}));
}

TEST(JavaType, IsSpelledInADescriptorAgain) {
  for (const std::string_view type : {"I", "[[J", "Ljava/util/Map$Entry;", "[LMain;", "Z"}) {
    std::string_view rest = type;
    EXPECT_EQ(descriptor_of_type(take_java_type(rest)), type);
  }
  EXPECT_EQ(descriptor_of_type("void"), "V");
}

TEST(JavaType, IsNothingWhereThereIsNoType) {
  for (const std::string_view text : {"", "[", "[[", "L", "Lx", "L;", "V", ")", "["}) {
    std::string_view rest = text;
    EXPECT_EQ(take_java_type(rest), "") << text;
  }
}

}  // namespace
}  // namespace copse
