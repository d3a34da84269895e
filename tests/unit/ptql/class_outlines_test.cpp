#include "ptql/engine/class_outlines.h"

#include <gtest/gtest.h>

namespace copse::ptql {
namespace {

using Method = classfile::MethodSummary;

const Method kClose = {"close", "()V"};
const Method kSize = {"size", "()I"};

std::string declaring(const ClassOutlines& outlines, const std::string& in, const Method& method) {
  for (std::size_t i = 0; i < outlines.size(); ++i) {
    if (outlines[i].name != in) continue;
    bool certain = false;
    const MethodFacts facts = outlines.facts(outlines[i], method, certain);
    return facts.declaring_class + (certain ? "" : " ?");
  }
  return "no such class";
}

TEST(PtqlClassOutlines, FindTheTopmostClassThatDeclares) {
  ClassOutlines outlines;
  outlines.add({"a/Base", "java/lang/Object", {}, {kClose}});
  outlines.add({"a/Middle", "a/Base", {}, {}});
  outlines.add({"a/Low", "a/Middle", {}, {kClose, kSize, {"hashCode", "()I"}}});
  EXPECT_EQ(declaring(outlines, "a/Low", kClose), "a.Base");
  EXPECT_EQ(declaring(outlines, "a/Low", kSize), "a.Low");
  EXPECT_EQ(declaring(outlines, "a/Low", {"hashCode", "()I"}), "java.lang.Object");
  EXPECT_EQ(declaring(outlines, "a/Low", {"close", "(I)V"}), "a.Low") << "another descriptor";
}

TEST(PtqlClassOutlines, GoUpFromTheTopmostClassToItsInterfaces) {
  ClassOutlines outlines;
  outlines.add({"a/Closeable", "java/lang/Object", {"a/Auto"}, {kClose}});
  outlines.add({"a/Auto", "java/lang/Object", {}, {kClose}});
  outlines.add({"a/Stream", "java/lang/Object", {"a/Closeable"}, {kClose}});
  outlines.add({"a/File", "a/Stream", {}, {kClose}});
  EXPECT_EQ(declaring(outlines, "a/File", kClose), "a.Auto");
}

TEST(PtqlClassOutlines, SayWhenAClassAboveIsNotKnown) {
  ClassOutlines outlines;
  outlines.add({"a/One", "lib/Base", {}, {kClose}});
  outlines.add({"a/Two", "java/lang/Object", {"lib/Face"}, {kClose}});
  EXPECT_EQ(declaring(outlines, "a/One", kClose), "a.One ?");
  EXPECT_EQ(declaring(outlines, "a/Two", kClose), "a.Two ?");
  EXPECT_EQ(declaring(outlines, "a/One", {"<init>", "()V"}), "a.One");
  EXPECT_EQ(declaring(outlines, "a/One", {"f", "()V", classfile::kAccStatic}), "a.One") << "static";
  EXPECT_EQ(declaring(outlines, "a/One", {"f", "()V", classfile::kAccPrivate}), "a.One")
      << "private";
}

TEST(PtqlClassOutlines, EndOnClassesThatClaimToBeAboveThemselves) {
  ClassOutlines outlines;
  outlines.add({"a/One", "a/Two", {"a/One"}, {kClose}});
  outlines.add({"a/Two", "a/One", {"a/Two"}, {}});
  EXPECT_EQ(declaring(outlines, "a/One", kClose), "a.One");
}

TEST(PtqlClassOutlines, ReadParametersAndResultsOfDescriptors) {
  ClassOutlines outlines;
  outlines.add({"a/One", "java/lang/Object", {}, {}});
  bool certain = false;
  const MethodFacts facts = outlines.facts(
      outlines[1], {"f", "(I[[JLjava/lang/String;D)Ljava/lang/Object;", classfile::kAccStatic},
      certain);
  EXPECT_EQ(facts.parameters, 4u);
  EXPECT_TRUE(facts.is_static);
  EXPECT_FALSE(facts.is_void);
  EXPECT_TRUE(outlines.facts(outlines[1], kClose, certain).is_void);
}

}  // namespace
}  // namespace copse::ptql
