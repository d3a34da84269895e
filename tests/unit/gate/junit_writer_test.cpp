#include "compare/gate/outcome_text.h"

#include <gtest/gtest.h>

#include <string>

#include "support/gate_reports.h"

namespace copse::gate {
namespace {

using testing::compared;
using testing::rule_of;
using testing::Shop;

TEST(Junit, HasACaseForEachRule) {
  const diff::Comparison comparison = compared(Shop{}.report(), Shop{.queries = 101}.report());
  std::vector<Outcome> outcomes;
  for (const char* rule : {"calls(Db.query) > +0", "new contexts(**)", "calls(\"Doa\") > 0"}) {
    outcomes.push_back(evaluate(rule_of(rule), comparison));
  }
  report::StringOutput out;
  write_junit(outcomes, comparison, out);
  ASSERT_TRUE(out.finish().ok());
  EXPECT_EQ(out.text(),
            R"xml(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="copse" tests="3" failures="1" errors="1" time="0">
  <testsuite name="copse diff old.json new.json" tests="3" failures="1" errors="1" time="0" skipped="0">
    <testcase classname="copse.gate" name="calls(Db.query) &gt; +0" time="0">
      <failure type="broken" message="3 in old.json, 103 in new.json: +100, x 34.3">
old  new  context
  1  101  Db.query &lt;- Dao.find:30 &lt;- Handler.get:20 &lt;- Main.main:10
</failure>
    </testcase>
    <testcase classname="copse.gate" name="new contexts(**)" time="0">
      <system-out>0 new contexts
</system-out>
    </testcase>
    <testcase classname="copse.gate" name="calls(&quot;Doa&quot;) &gt; 0" time="0">
      <error type="cannot say" message="&quot;Doa&quot; matches nothing in either report (&quot;Doa&quot;? would be allowed to.)">
</error>
    </testcase>
  </testsuite>
</testsuites>
)xml");
}

TEST(Junit, HasNoCharacterThatXmlForbids) {
  Outcome outcome;
  outcome.rule.text = "calls(A\x01\xEF\xBF\xBE\xFF\xED\xA0\x80<&>\"') > 0";
  report::StringOutput out;
  write_junit({outcome}, compared(Shop{}.report(), Shop{}.report()), out);
  ASSERT_TRUE(out.finish().ok());
  EXPECT_NE(out.text().find("name=\"calls(A\\u0001\\uFFFE"), std::string::npos) << out.text();
  EXPECT_NE(out.text().find("&lt;&amp;&gt;&quot;') &gt; 0\""), std::string::npos);
  EXPECT_EQ(out.text().find("\xED\xA0\x80"), std::string::npos);
}

}  // namespace
}  // namespace copse::gate
