#include "sql/result.h"

#include <gtest/gtest.h>

#include "support/query_results.h"
#include "support/small_report.h"

namespace copse::sql {
namespace {

using testing::AskedReports;

constexpr const char* kValues =
    "SELECT 1 AS n, NULL AS missing, 0.1 AS r, 'a,\"b' AS t UNION ALL SELECT -9223372036854775808, "
    "'', 2.0, 'é'";

std::string answer(ResultFormat format, const std::string& sql) {
  testing::SmallReport report;
  return AskedReports({report.model}).ask(sql, format);
}

TEST(ResultTable, PutsNumbersOnTheRightAndShowsNull) {
  EXPECT_EQ(answer(ResultFormat::kTable, kValues),
            "                   n  missing    r  t\n"
            "                   1  NULL     0.1  a,\"b\n"
            "-9223372036854775808           2.0  é\n");
  EXPECT_EQ(answer(ResultFormat::kTable, "SELECT 1 a WHERE 0; SELECT 2 b"), "a\n\nb\n2\n");
}

TEST(ResultTable, GoesOnWithWiderCellsAfterTheRowsItMeasures) {
  const std::string text = answer(
      ResultFormat::kTable,
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1001) SELECT i, 'x' x "
      "FROM n");
  EXPECT_TRUE(text.starts_with("   i  x\n   1  x\n")) << text.substr(0, 40);
  EXPECT_TRUE(text.ends_with("\n1000  x\n1001  x\n"));
}

TEST(ResultCsv, TellsNullFromAnEmptyText) {
  EXPECT_EQ(answer(ResultFormat::kCsv, kValues),
            "1,,0.1,\"a,\"\"b\"\n-9223372036854775808,\"\",2.0,é\n");
}

TEST(ResultJson, IsAListOfObjectsWithExactNumbers) {
  EXPECT_EQ(answer(ResultFormat::kJson, kValues),
            "[\n"
            "{\"n\": 1, \"missing\": null, \"r\": 0.1, \"t\": \"a,\\\"b\"},\n"
            "{\"n\": -9223372036854775808, \"missing\": \"\", \"r\": 2.0, \"t\": \"é\"}\n"
            "]\n");
  EXPECT_EQ(answer(ResultFormat::kJson, "SELECT 1 a, 2 a, 9e999 b, x'00ff' c"),
            "[\n{\"a\": 1, \"a_2\": 2, \"b\": null, \"c\": \"00ff\"}\n]\n");
  EXPECT_EQ(answer(ResultFormat::kJson, "SELECT 1 a WHERE 0"), "[]\n");
}

TEST(Results, ShowHostileNamesHarmless) {
  testing::SmallReport report;
  report.node(0, report.method("a\x1b[2J\n.B", "f\u202e"));
  AskedReports asked({report.model});
  const std::string sql = "SELECT name, x'1b' FROM methods";
  EXPECT_EQ(asked.ask(sql), "a\\u001b[2J\\u000a.B.f\\u202e,x'1b'\n");
  EXPECT_EQ(asked.ask("SELECT CAST(x'1b80' AS TEXT) AS 't\x1b'", ResultFormat::kTable),
            "t\\u001b\n\\u001b\xEF\xBF\xBD\n");
  EXPECT_EQ(asked.ask("SELECT CAST(x'1b80' AS TEXT) AS t", ResultFormat::kJson),
            "[\n{\"t\": \"\\u001b\xEF\xBF\xBD\"}\n]\n");
}

TEST(ResultFormats, AreChosenByNameOrEnding) {
  EXPECT_EQ(result_format_by_name("csv"), ResultFormat::kCsv);
  EXPECT_EQ(result_format_by_name("CSV"), std::nullopt);
  EXPECT_EQ(result_format_by_ending("a/b.json"), ResultFormat::kJson);
  EXPECT_EQ(result_format_by_ending("json"), std::nullopt);
}

}  // namespace
}  // namespace copse::sql
