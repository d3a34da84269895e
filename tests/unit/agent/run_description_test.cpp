#include "agent/run_description.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace copse::agent {
namespace {

// ROOT alone, which is all that notes ask of a tree's nodes.
struct Merged final : cct::ContextTree {
  explicit Merged(cct::MergedRecursion what) : recursion(std::move(what)) {}
  std::uint32_t node_count() const noexcept override { return 1; }
  cct::ContextNode node(NodeIndex) const noexcept override { return {kRootNode, 0, 0}; }
  cct::MergedRecursion merged() const override { return recursion; }
  cct::MergedRecursion recursion;
};

std::vector<MethodName> named(const std::string& names) {
  std::vector<MethodName> methods(1);
  for (const char name : names) {
    methods.emplace_back();
    methods.back().class_name = "A";
    methods.back().name = std::string(1, name);
  }
  return methods;
}

std::string note_of(cct::MergedRecursion merged) {
  const std::vector<std::string> notes =
      tree_notes({}, Merged(std::move(merged)), 0, named("abcdefg"));
  return notes.size() == 1 ? notes[0] : std::to_string(notes.size()) + " notes";
}

cct::MergedRecursion merged(std::vector<std::uint32_t> depths) {
  cct::MergedRecursion merged{false, {}, 1'048'576, 1, depths, false};
  for (std::uint32_t id = 1; id <= depths.size(); ++id) merged.methods.push_back(MethodId{id});
  return merged;
}

TEST(TreeNotes, TellWhoseRecursionIsMergedAndHowDeepItWent) {
  EXPECT_EQ(note_of(merged({1, 1234})),
            "Recursion made most of 1,048,576 contexts. It is merged for the methods of its cycles "
            "(A.b at least 1,234 deep, A.a): a call of such a method that is already on the path "
            "counts at that method's nearest node, so these contexts are merged ones, and their "
            "counts sums. How deep it went later is not known. --recursion full keeps every "
            "context.");
}

TEST(TreeNotes, NameTheMethodsThatWentDeepest) {
  const std::string note = note_of(merged({3, 2, 0, 2, 9, 1, 4}));
  EXPECT_NE(
      note.find("(A.e at least 9 deep, A.g at least 4 deep, A.a at least 3 deep, A.b at least "
                "2 deep, A.d at least 2 deep and 2 more)"),
      std::string::npos)
      << note;
}

TEST(TreeNotes, TellOfContextsThatThereWasNoMemoryToMerge) {
  cct::MergedRecursion full = merged({2});
  EXPECT_EQ(note_of(full).find("no memory"), std::string::npos);
  full.is_left_full = true;
  EXPECT_TRUE(note_of(full).ends_with(
      "There was no memory to merge the contexts that were there already: some such methods are on "
      "a path more than once, with their calls from before."))
      << note_of(full);
}

TEST(TreeNotes, TellThatRecursionOfAllMethodsIsMergedInTheEnd) {
  cct::MergedRecursion all = merged({3});
  all.all = true;
  all.is_left_full = true;
  EXPECT_EQ(note_of(all),
            "Recursion made most of 1,048,576 contexts. Since it did so again with other methods "
            "after each of 8 times that the recursion of some was merged, it is merged for every "
            "method: a call of such a method that is already on the path counts at that method's "
            "nearest node, so these contexts are merged ones, and their counts sums. --recursion "
            "full keeps every context. There was no memory to merge the contexts that were there "
            "already: some such methods are on a path more than once, with their calls from "
            "before.");
}

TEST(TreeNotes, TellNoDepthOfRecursionThatIsMergedFromTheStart) {
  cct::MergedRecursion all;
  all.all = true;
  const std::string note = note_of(all);
  EXPECT_TRUE(note.starts_with("Recursion is merged for every method: ")) << note;
  EXPECT_EQ(note.find("deep"), std::string::npos) << note;
}

}  // namespace
}  // namespace copse::agent
