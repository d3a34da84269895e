// The proposal in an error about a name: another name than was typed, and one that works.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "report/model/model_builder.h"
#include "sql/session.h"
#include "support/query_results.h"
#include "support/report_samples.h"

namespace copse::sql {
namespace {

using testing::AskedReports;

report::ReportModel timed_demo() {
  testing::DemoProgram program = testing::demo_program();
  report::ReportModel model =
      std::move(build_model(program.tree, std::move(program.tables))).value();
  model.measures.push_back({"cpu_ns", "ns", 0, model.nodes.calls});
  return model;
}

// Returns the text behind the place of the error.
std::string hint_of(const std::string& answer) {
  const std::size_t at = answer.rfind("; ");
  return at == answer.npos ? "" : answer.substr(at + 2);
}

struct Mistake {
  std::string wrong;
  std::string hint;   // whole, or its beginning where it ends with "..."
  std::string right;  // what it proposes, spelled out; "" where it proposes no query
};

void expect_hints(const std::vector<Mistake>& mistakes) {
  AskedReports asked({timed_demo()});
  for (const Mistake& mistake : mistakes) {
    const std::string answer = asked.ask(mistake.wrong);
    ASSERT_EQ(answer.substr(0, 7), "copse: ") << mistake.wrong;
    std::string hint = hint_of(answer), expected = mistake.hint;
    if (expected.ends_with("...")) {
      expected.resize(expected.size() - 3);
      hint.resize(std::min(hint.size(), expected.size()));
    }
    EXPECT_EQ(hint, expected) << answer;
    if (mistake.right.empty()) continue;
    EXPECT_NE(asked.ask(mistake.right).substr(0, 7), "copse: ") << mistake.right;
  }
}

TEST(NameHint, SaysWhichTablesHaveTheColumn) {
  expect_hints({
      {"SELECT class FROM contexts",
       "not in contexts: methods, skipped, named_contexts and kinds have it",
       "SELECT class FROM named_contexts"},
      {"SELECT cpu_ns FROM sites",
       "not in sites: contexts, methods, threads, slices, named_contexts and kinds have it",
       "SELECT cpu_ns FROM contexts"},
      {"SELECT calls FROM contexts WHERE Class = 'x'",
       "not in contexts: methods, skipped, named_contexts and kinds have it", ""},
      {"SELECT c.class FROM contexts c",
       "not in contexts: methods, skipped, named_contexts and kinds have it", ""},
      {"SELECT wall_ms FROM contexts JOIN methods ON methods.id = contexts.method",
       "not in contexts and methods: runs has it", ""},
      {"SELECT bci", "sites has it", "SELECT bci FROM sites"},
      {"SELECT id FROM contexts WHERE id IN (SELECT loader FROM sites)",
       "not in sites and contexts: methods has it", ""},
  });
}

TEST(NameHint, TakesTheAliasThatHasTheColumn) {
  expect_hints({
      {"SELECT c.class FROM contexts c JOIN methods m ON m.id = c.method", "did you mean m.class?",
       "SELECT m.class FROM contexts c JOIN methods m ON m.id = c.method"},
      {"SELECT methods.class FROM contexts JOIN methods AS m ON m.id = contexts.method",
       "methods is called m there", ""},
      {"SELECT x.class FROM methods m", "did you mean m.class?", "SELECT m.class FROM methods m"},
      {"SELECT methods.class FROM contexts",
       "the query does not read methods there: name it behind FROM or JOIN", ""},
      {"SELECT m.clas FROM methods AS m", "did you mean m.class?", ""},
      {"SELECT clas FROM methods JOIN skipped ON 1", "did you mean methods.class?",
       "SELECT methods.class FROM methods JOIN skipped ON 1"},
      {"SELECT qq.zzz FROM methods m, sites s", "there are m and s behind FROM", ""},
  });
}

TEST(NameHint, ProposesTheNearestColumn) {
  expect_hints({
      {"SELECT nme FROM methods", "did you mean name?", "SELECT name FROM methods"},
      {"SELECT NME FROM methods", "did you mean name?", ""},
      {"SELECT \"nme\" FROM methods", "did you mean name?", ""},
      {"SELECT clas FROM sites",
       "did you mean class, a column of methods, skipped, named_contexts and kinds?", ""},
      {"SELECT total AS sum_of_all FROM measures ORDER BY sum_of_al", "did you mean sum_of_all?",
       "SELECT total AS sum_of_all FROM measures ORDER BY sum_of_all"},
      {"SELECT frobnicate FROM notes", "notes has report, text", "SELECT report, text FROM notes"},
      {"SELECT n.frobnicate FROM notes n", "notes has report, text", ""},
  });
}

TEST(NameHint, KnowsATextThatHasNoQuotesOrTheWrongOnes) {
  expect_hints({
      {"SELECT id FROM methods WHERE name = \"demo.Main.work\"",
       "a text is in single quotes: 'demo.Main.work'",
       "SELECT id FROM methods WHERE name = 'demo.Main.work'"},
      {"SELECT id FROM methods WHERE name LIKE \"%work\"", "a text is in single quotes: '%work'",
       ""},
      {"SELECT id FROM methods WHERE name = demo.Main.work",
       "a text is in single quotes: 'demo.Main.work'", ""},
      {"SELECT id FROM methods WHERE name IN (www)", "a text is in single quotes: 'www'", ""},
      {"SELECT id FROM methods WHERE name = `it's`", "a text is in single quotes: 'it''s'", ""},
  });
}

TEST(NameHint, TellsTablesColumnsAndFunctionsApart) {
  expect_hints({
      {"SELECT notes FROM runs", "it is a table, with report, text", ""},
      {"SELECT path FROM contexts", "it is a function: path(id)", "SELECT path(id) FROM contexts"},
      {"SELECT calls(id) FROM contexts", "it is a column, without parentheses", ""},
      {"SELECT 1 FROM wall_ms", "it is a column of runs", ""},
      {"SELECT 1 FROM under", "it is a function, which stands in place of a column", ""},
      {"SELECT pth(id) FROM contexts", "did you mean path()?", ""},
      {"SELECT coutn(*) FROM contexts", "did you mean count()?", ""},
      {"SELECT stddev(calls) FROM contexts",
       "there are those of SQLite, and path(id), under(id, glob), calls_under(id, glob)", ""},
      {"SELECT under(id) FROM contexts", "write under(id, glob)",
       "SELECT under(id, '**') FROM contexts"},
      {"SELECT PATH(id, 1) FROM contexts", "write path(id)", ""},
  });
}

TEST(NameHint, ProposesTheNearestTable) {
  expect_hints({
      {"SELECT name FROM method", "did you mean methods?", ""},
      {"SELECT name FROM temp.methods", "write methods", "SELECT name FROM methods"},
      {"SELECT 1 FROM elephants", "there are contexts, methods, sites, ...", ""},
      {"WITH deepest(d) AS (SELECT max(depth) FROM contexts) SELECT d FROM depest",
       "did you mean deepest?", ""},
  });
}

TEST(NameHint, SaysHowToQualifyAnAmbiguousColumn) {
  expect_hints({
      {"SELECT id FROM contexts JOIN methods ON methods.id = method",
       "write contexts.id or methods.id",
       "SELECT contexts.id FROM contexts JOIN methods ON methods.id = method"},
      {"SELECT name FROM named_contexts a, named_contexts b", "write a.name or b.name",
       "SELECT a.name FROM named_contexts a, named_contexts b"},
  });
}

TEST(NameHint, SaysLessOfWhatASubqueryMakes) {
  expect_hints({
      {"SELECT class FROM (SELECT id FROM methods) AS m",
       "it is a column of methods, skipped, named_contexts and kinds, which a subquery has to pass "
       "on",
       ""},
      {"SELECT m.totl FROM (SELECT max(calls) AS total FROM methods) AS m", "did you mean m.total?",
       "SELECT m.total FROM (SELECT max(calls) AS total FROM methods) AS m"},
      {"WITH w AS (SELECT id FROM methods) SELECT w.zz FROM w", "", ""},
  });
}

// Whatever stands where: the hint is something else than was typed.
TEST(NameHint, NeverRepeatsWhatWasTyped) {
  AskedReports asked({timed_demo()});
  const Schema& schema = asked.session().schema();
  std::vector<std::string> names = {"path", "under", "count", "nme", "Clas", "m", "x"};
  for (const Table& table : schema.tables) {
    names.push_back(table.name);
    for (const Table::Column& column : table.columns) names.push_back(column.name);
  }
  std::size_t mistakes = 0;
  for (const std::string& name : names) {
    for (const std::string& sql :
         {"SELECT " + name, "SELECT " + name + " FROM sites s",
          "SELECT \"" + name + "\" FROM notes",
          "SELECT m." + name + " FROM notes m JOIN methods AS n",
          "SELECT zz." + name + " FROM runs", "SELECT methods." + name + " FROM sites",
          "SELECT 1 FROM " + name, "SELECT 1 FROM temp." + name,
          "SELECT " + name + "(1, 2, 3, 4, 5) FROM notes", "SELECT " + name + " FROM (SELECT 1)"}) {
      const std::string answer = asked.ask(sql);
      if (answer.substr(0, 7) != "copse: ") continue;
      ++mistakes;
      const std::size_t place = answer.find(", line ");
      const std::string typed = answer.substr(0, std::min(place, answer.rfind("; ")));
      const std::string hint = hint_of(answer);
      if (!hint.starts_with("did you mean ")) continue;
      const std::string guess = hint.substr(13, hint.find_first_of(",?") - 13);
      EXPECT_FALSE(typed.ends_with(": " + guess)) << answer;
      EXPECT_FALSE(typed.ends_with("." + guess)) << answer;
    }
  }
  EXPECT_GT(mistakes, 300u);
}

}  // namespace
}  // namespace copse::sql
