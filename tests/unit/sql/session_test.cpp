// The rights of a query, and the error when it exceeds them or is wrong.
#include <gtest/gtest.h>

#include "sql/session.h"

#include "report/model/model_builder.h"
#include "support/expect_fault.h"
#include "support/query_results.h"
#include "support/report_samples.h"

namespace copse::sql {
namespace {

using testing::AskedReports;

report::ReportModel plain_demo() {
  testing::DemoProgram program = testing::demo_program();
  return std::move(build_model(program.tree, std::move(program.tables))).value();
}

TEST(Session, SaysWhatIsWrongAndWhere) {
  AskedReports asked({plain_demo()});
  EXPECT_FAULT(asked.run("SELECT nme FROM methods"), kUsage,
               "line 1, column 8: SELECT ^nme FROM methods", "name?");
  EXPECT_FAULT(asked.run("SELECT 1;\nSELECT 2,\n  'é', nme FROM methods"), kUsage,
               "line 3, column 8:   'é', ^nme FROM methods", "name?");
  EXPECT_FAULT(asked.run("SELECT name FROM method"), kUsage, "method", "methods?");
  EXPECT_FAULT(
      asked.run("SELECT x FROM elephants"), kUsage, "elephants",
      "contexts, methods, sites, threads, measures, skipped, runs, options, notes, "
      "slices, slice_contexts, slice_measures, slice_tasks, slice_calls, named_contexts, kinds");
  EXPECT_FAULT(asked.run("SELEC 1"), kUsage, "line 1, column 1: ^SELEC 1");
  EXPECT_FAULT(asked.run("SELECT \"nme\" FROM methods"), kUsage, "nme");
}

TEST(Session, NamesWhatWasProbablyMeant) {
  report::ReportModel timed = plain_demo();
  timed.measures.push_back({"cpu_ns", "ns", 0, timed.nodes.calls});
  AskedReports asked({timed});
  for (const auto& [wrong, hint] :
       {std::pair("SELECT class FROM contexts",
                  "; methods, skipped, named_contexts and kinds have it"),
        {"SELECT s.Bci FROM notes s", "; sites has it"},
        {"SELECT NME FROM methods", "; did you mean name?"},
        {"SELECT m.totl FROM measures m", "; did you mean total?"},
        {"SELECT frobnicate FROM notes", ": SELECT ^frobnicate FROM notes"},
        {"SELECT 1 FROM methods WHERE name = \"%.www\"", "; a text is in single quotes"},
        {"SELECT allocated_bytes FROM contexts",
         "; no allocations in the report; record with --measure alloc. It has: calls, cpu"},
        {"SELECT 1 FROM temp.methods", "; did you mean methods?"},
        {"SELECT pth(id) FROM contexts", "; did you mean path?"}}) {
    const std::string answer = asked.ask(wrong);
    EXPECT_TRUE(answer.starts_with("copse: no such ") && answer.ends_with(hint)) << answer;
  }
}

TEST(Session, TakesNoQueryForAMistake) {
  AskedReports asked({plain_demo()});
  for (const char* nothing : {"", " \n", ";;", "-- only a comment", "/* open"}) {
    EXPECT_FAULT(asked.run(nothing), kUsage) << nothing;
  }
  EXPECT_FAULT(asked.run(std::string("SELECT 1\0", 9)), kUsage, "NUL");
  EXPECT_FAULT(asked.run("SELECT :id"), kUsage, ":id");
}

TEST(Session, RunsStatementsUpToTheFirstThatFails) {
  AskedReports asked({plain_demo()});
  report::StringOutput out;
  const auto writer = make_result_writer(ResultFormat::kCsv, out);
  EXPECT_FALSE(asked.session().run("SELECT 1 a; SELECT x; SELECT 2 b", *writer).ok());
  EXPECT_TRUE(out.finish().ok());
  EXPECT_EQ(out.text(), "a\n1\n");
}

TEST(Session, RefusesAllThatDoesNotRead) {
  AskedReports asked({plain_demo()});
  const std::string before = asked.ask("SELECT count(*), sum(calls) FROM contexts");
  for (const char* sql : {"ATTACH '/etc/passwd' AS p",
                          "ATTACH ':memory:' AS p",
                          "DETACH main",
                          "VACUUM",
                          "VACUUM INTO '/tmp/copse-query-vacuum.db'",
                          "PRAGMA database_list",
                          "PRAGMA temp_store_directory = '/tmp'",
                          "PRAGMA writable_schema = 1",
                          "SELECT * FROM pragma_database_list",
                          "SELECT count(*) FROM pragma_database_list",
                          "SELECT * FROM pragma_table_info('contexts')",
                          "SELECT load_extension('/tmp/x.so')",
                          "SELECT fts3_tokenizer('simple')",
                          "SELECT writefile('/tmp/copse-query-write', 'x')",
                          "SELECT readfile('/etc/passwd')",
                          "CREATE TABLE t(x)",
                          "CREATE TEMP TABLE t(x)",
                          "CREATE VIEW v AS SELECT 1",
                          "CREATE VIRTUAL TABLE v USING fts5(x)",
                          "CREATE TRIGGER t AFTER INSERT ON runs BEGIN "
                          "SELECT 1; END",
                          "CREATE INDEX i ON contexts(id)",
                          "DROP TABLE contexts",
                          "ALTER TABLE contexts RENAME TO c",
                          "INSERT INTO contexts(id) VALUES(1)",
                          "UPDATE contexts SET calls = 0",
                          "DELETE FROM contexts",
                          "REPLACE INTO runs VALUES(1)",
                          "UPDATE sqlite_schema SET sql = ''",
                          "DELETE FROM sqlite_schema",
                          "BEGIN",
                          "COMMIT",
                          "SAVEPOINT s",
                          "REINDEX",
                          "ANALYZE",
                          "SELECT * FROM sqlite_dbpage",
                          "SELECT * FROM dbstat",
                          "SELECT pgno FROM sqlite_dbpage",
                          "WITH a AS (SELECT 1) DELETE FROM runs",
                          "EXPLAIN PRAGMA database_list",
                          "SELECT * FROM temp.sqlite_temp_schema"}) {
    const std::string answer = asked.ask(sql);
    EXPECT_EQ(answer.substr(0, 7), "copse: ") << sql << " gives " << answer;
    EXPECT_EQ(answer.find('\n'), std::string::npos) << answer;
  }
  EXPECT_EQ(asked.ask("SELECT count(*), sum(calls) FROM contexts"), before);
}

TEST(Session, CountsRowsOfTablesThatAStatementMakes) {
  AskedReports asked({plain_demo()});
  EXPECT_EQ(asked.ask("WITH n(i) AS (VALUES (1), (2)) SELECT count(*) FROM n, contexts"), "16\n");
  EXPECT_EQ(asked.ask("SELECT count(*) FROM (SELECT id FROM contexts) AS c, runs"), "8\n");
}

TEST(Session, HasTheTablesThatSqliteMakesOfJson) {
  AskedReports asked({plain_demo()});
  EXPECT_EQ(asked.ask("SELECT sum(value) FROM json_each('[1, 2, 4]')"), "7\n");
}

TEST(Session, BoundsWhatATextOfAQueryCanCost) {
  AskedReports asked({plain_demo()});
  EXPECT_FALSE(asked.run("SELECT zeroblob(1000000000)").ok());
  EXPECT_EQ(
      asked.ask("SELECT " + std::string(5000, '(') + "1" + std::string(5000, ')')).substr(0, 7),
      "copse: ");
  std::string many = "SELECT 1";
  for (int i = 0; i < 1000; ++i) many += " UNION ALL SELECT 1";
  EXPECT_FALSE(asked.run(many).ok());
  EXPECT_EQ(asked.ask("SELECT '" + std::string(2 << 20, 'x') + "'").substr(0, 7), "copse: ");
}

TEST(Session, StopsWhenTheTimeIsUp) {
  AskedReports asked({plain_demo()}, {std::chrono::milliseconds(5), 64 << 20});
  const char* const endless =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n";
  EXPECT_FAULT(asked.run(endless), kLimit, "5.00 ms", "--timeout");
  EXPECT_EQ(asked.ask("SELECT 1"), "1\n");  // each statement has its time
}

TEST(Session, StopsWhenTheMemoryIsSpent) {
  AskedReports asked({plain_demo()}, {std::chrono::minutes(1), 8 << 20});
  EXPECT_FAULT(asked.run("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT "
                         "1000000) SELECT length(group_concat('0123456789' || i)) FROM n"),
               kLimit, "8 MiB", "--memory");
  EXPECT_EQ(asked.ask("SELECT 1"), "1\n");
}

// A report whose tables do not fit leaves a session that answers on.
TEST(Session, SaysThatTheTablesDoNotFit) {
  testing::DemoProgram program = testing::random_program(7, 100'000);
  AskedReports asked({std::move(build_model(program.tree, std::move(program.tables))).value()},
                     {std::chrono::minutes(1), 8 << 20});
  const char* const all =
      "SELECT count(*), max(last_id) FROM contexts WHERE site IS NOT context_id";
  for (int i = 0; i < 2; ++i) {
    EXPECT_FAULT(asked.run(all), kLimit, "8 MiB", "--memory", "-o FILE.sqlite");
    EXPECT_EQ(asked.ask("SELECT count(*) FROM runs"), "1\n");
  }
}

TEST(Session, SaysThatATextDoesNotFit) {
  auto model = plain_demo();
  model.notes.push_back(std::string(std::size_t{9} << 20, 'x'));
  AskedReports asked({std::move(model)}, {std::chrono::minutes(1), 8 << 20});
  EXPECT_FAULT(asked.run("SELECT length(text) FROM notes"), kLimit, "8 MiB");
}

TEST(Session, SaysThatASumDoesNotFit) {
  AskedReports asked({plain_demo()});
  EXPECT_FAULT(asked.run("SELECT sum(calls * 4000000000000000) FROM contexts"), kMalformed);
}

TEST(Session, KnowsWhenAStatementIsWhole) {
  EXPECT_FALSE(Session::is_complete("SELECT ';"));
  EXPECT_FALSE(Session::is_complete("SELECT 1\n"));
  EXPECT_TRUE(Session::is_complete("SELECT 1 ;\n"));
}

TEST(Session, StopsWhereNobodyReadsOn) {
  class OneRow final : public ResultWriter {
   public:
    void begin(const std::vector<std::string>&) override {}
    bool row(const std::vector<Value>&) override { return ++rows < 2; }
    void end() override {}
    int rows = 0;
  } writer;
  AskedReports asked({plain_demo()});
  EXPECT_TRUE(asked.session().run("SELECT id FROM contexts", writer).ok());
  EXPECT_EQ(writer.rows, 2);
}

}  // namespace
}  // namespace copse::sql
