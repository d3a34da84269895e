#include "cct/cycles.h"

#include <gtest/gtest.h>

#include <string>
#include <unordered_map>
#include <vector>

namespace copse::cct {
namespace {

// Contexts by letters: callers before callees, each a word that begins with its caller's.
std::vector<MethodId> worth_merging(const std::vector<std::string>& contexts) {
  Cycles cycles;
  std::unordered_map<std::string, MethodId> told;
  for (const std::string& context : contexts) {
    const std::string above = context.substr(0, context.size() - 1);
    const auto method = [](char letter) { return MethodId{static_cast<std::uint32_t>(letter)}; };
    told[context] = cycles.add(method(context.back()), told[above], [&](auto visit) {
      for (auto caller = above.rbegin(); caller != above.rend(); ++caller) {
        if (!visit(method(*caller))) return;
      }
    });
  }
  return cycles.worth_merging();
}

std::vector<MethodId> methods(const std::string& letters) {
  std::vector<MethodId> methods;
  for (const char letter : letters) methods.push_back(MethodId{static_cast<std::uint32_t>(letter)});
  return methods;
}

TEST(Cycles, AreTheMethodsBetweenAMethodAndItsNextOccurrence) {
  EXPECT_EQ(worth_merging({"m", "ma", "mab", "mabc", "mabca", "mabcax", "mabcab", "mabcaba"}),
            methods("abc"));
}

TEST(Cycles, WithAMethodInCommonAreOne) {
  EXPECT_EQ(worth_merging({"a", "ab", "aba", "ac", "aca", "acax", "abax"}), methods("abc"));
}

TEST(Cycles, AreLeftAloneWhileMostContextsAreNotRepeated) {
  EXPECT_EQ(worth_merging({"a", "aa", "ab", "ac"}), methods(""));
}

TEST(Cycles, OfFewContextsAreLeftAlone) {
  std::vector<std::string> contexts = {"b", "bb", "a"};
  for (std::string context = "aa"; context.size() < 20; context += 'a') contexts.push_back(context);
  EXPECT_EQ(worth_merging(contexts), methods("a"));
}

}  // namespace
}  // namespace copse::cct
