#include "compare/gate/rules_file.h"

#include <gtest/gtest.h>

#include <string>

namespace copse::gate {
namespace {

std::string trouble_in(std::string_view text) {
  const Result<std::vector<Rule>> rules = read_rules(text, "gate.rules");
  return rules.ok() ? "" : rules.message();
}

TEST(RulesFile, HasARuleALineAndComments) {
  const Result<std::vector<Rule>> rules = read_rules(
      "# what must not be\n\ncalls(A) > 1\r\n  new contexts(B.f#g)   # none at "
      "all\n\t\n#x\ncalls(C) > 2",
      "gate.rules");
  ASSERT_TRUE(rules.ok()) << rules.message();
  ASSERT_EQ(rules->size(), 3U);
  EXPECT_EQ((*rules)[0].text, "calls(A) > 1");
  EXPECT_EQ((*rules)[1].text, "new contexts(B.f#g)") << "a # in a name is no comment";
  EXPECT_EQ((*rules)[2].text, "calls(C) > 2");
}

TEST(RulesFile, NamesTheLineOfWhatIsNoRule) {
  EXPECT_EQ(trouble_in("calls(A) > 1\n\n  calls(A) = 1\n"),
            "gate.rules:3: column 12: equal is written ==\n    calls(A) = 1\n             ^");
}

TEST(RulesFile, WithoutARuleIsRefused) {
  EXPECT_EQ(trouble_in(""), "gate.rules: has no rule");
  EXPECT_EQ(trouble_in("# nothing\n"), "gate.rules: has no rule");
}

TEST(RulesFile, ThatCannotBeReadSaysWhy) {
  EXPECT_EQ(read_rules_file("/no/such/file").message(), "/no/such/file: No such file or directory");
  EXPECT_EQ(read_rules_file("/").message(), "/: Is a directory");
}

}  // namespace
}  // namespace copse::gate
