#include "compare/gate/rule_parser.h"

#include <gtest/gtest.h>

#include <string>

#include "support/expect_fault.h"

namespace copse::gate {
namespace {

Result<std::vector<Rule>> read(std::string_view text) { return read_rules(text, "gate.rules"); }

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
  EXPECT_FAULT(read("calls(A) > 1\n\n  calls(A) = 1\n"), kUsage,
               "gate.rules:3: column 12: ", "\n    calls(A) = 1\n             ^");
}

TEST(RulesFile, WithoutARuleIsRefused) {
  EXPECT_FAULT(read(""), kUsage, "gate.rules");
  EXPECT_FAULT(read("# nothing\n"), kUsage, "gate.rules");
}

TEST(RulesFile, ThatCannotBeReadSaysWhy) {
  EXPECT_FAULT(read_rules_file("/no/such/file"), kSystem, "/no/such/file: No such file");
  EXPECT_FAULT(read_rules_file("/"), kSystem, "/: Is a directory");
}

}  // namespace
}  // namespace copse::gate
