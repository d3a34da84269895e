#include "fleet/selection_condition.h"

#include <gtest/gtest.h>

#include "support/expect_fault.h"

namespace copse::fleet {
namespace {

std::string sql(std::string_view text) {
  const Result<SelectionCondition> condition = SelectionCondition::parse(text);
  return condition.ok() ? condition->sql() : condition.message();
}

std::string labels(std::string_view text) {
  const Result<SelectionCondition> condition = SelectionCondition::parse(text);
  return condition.ok() ? condition->sql_of_labels() : condition.message();
}

TEST(SelectionCondition, ComparesTheColumnsOfAFleet) {
  EXPECT_EQ(sql("version = '2.1'"), "(version = '2.1')");
  EXPECT_EQ(sql("SERVICE<>'shop'"), "(service != 'shop')");
  EXPECT_EQ(sql("service like 'shop%'"), "(service LIKE 'shop%')");
  EXPECT_EQ(sql("version NOT IN ('2.0','2.1')"), "(version NOT IN ('2.0', '2.1'))");
  EXPECT_EQ(sql("day >= 2026-11-01"), "(day >= toDate('2026-11-01'))");
  EXPECT_EQ(sql("day = '2026-11-01'"), "(day = toDate('2026-11-01'))");
  EXPECT_EQ(sql("day between 2026-11-01 and 2026-11-03"),
            "((day >= toDate('2026-11-01')) AND (day <= toDate('2026-11-03')))");
}

TEST(SelectionCondition, BindsAndBeforeOr) {
  EXPECT_EQ(sql("version = '1' OR version = '2' AND service = 's'"),
            "((version = '1') OR ((version = '2') AND (service = 's')))");
  EXPECT_EQ(sql("(version = '1' OR version = '2') AND service = 's'"),
            "(((version = '1') OR (version = '2')) AND (service = 's'))");
}

TEST(SelectionCondition, TakesNotDownToTheComparisons) {
  EXPECT_EQ(sql("NOT version = '1'"), "(version != '1')");
  EXPECT_EQ(sql("NOT (version = '1' AND day < 2026-11-01)"),
            "((version != '1') OR (day >= toDate('2026-11-01')))");
  EXPECT_EQ(sql("NOT (NOT service LIKE 'a' OR version IN ('1'))"),
            "((service LIKE 'a') AND (version NOT IN ('1')))");
  EXPECT_EQ(sql("NOT day BETWEEN 2026-11-01 AND 2026-11-03"),
            "((day < toDate('2026-11-01')) OR (day > toDate('2026-11-03')))");
  EXPECT_EQ(sql("day NOT BETWEEN 2026-11-01 AND 2026-11-03"),
            sql("NOT day BETWEEN 2026-11-01 AND 2026-11-03"));
}

// Tables of names have no days: they may have more then, never less.
TEST(SelectionCondition, LeavesDaysOutForTablesWithoutThem) {
  EXPECT_EQ(labels("day >= 2026-11-01"), "1");
  EXPECT_EQ(labels("NOT day = 2026-11-01 AND version = '1'"), "(1 AND (version = '1'))");
  EXPECT_EQ(labels("NOT (day = 2026-11-01 AND version = '1')"), "(1 OR (version != '1'))");
}

TEST(SelectionCondition, SendsWhatWasTypedInQuotesAlone) {
  EXPECT_EQ(sql("version = 'it''s'"), "(version = 'it\\'s')");
  EXPECT_EQ(sql("version = '\\'') OR 1 = 1 --'"), "(version = '\\\\\\') OR 1 = 1 --')");
  EXPECT_EQ(sql("version = '\\'"), "(version = '\\\\')");
  EXPECT_EQ(sql(std::string("version = '\0'", 13)), "(version = '\\0')");
}

TEST(SelectionCondition, SaysWhereItIsNotUnderstood) {
  EXPECT_FAULT(SelectionCondition::parse(""), kUsage, "column 1: ");
  EXPECT_FAULT(SelectionCondition::parse("host = 'a'"), kUsage, "column 1: ");
  EXPECT_FAULT(SelectionCondition::parse("version 1"), kUsage, "column 9: ");
  EXPECT_FAULT(SelectionCondition::parse("version = 2.1"), kUsage, "column 11: ");
  EXPECT_FAULT(SelectionCondition::parse("version = service"), kUsage, "column 11: ");
  EXPECT_FAULT(SelectionCondition::parse("version > '2.9'"), kUsage, "column 9: ");
  EXPECT_FAULT(SelectionCondition::parse("day = 'today'"), kUsage, "column 7: ");
  EXPECT_FAULT(SelectionCondition::parse("day = 2026-13-01"), kUsage, "column 7: ");
  EXPECT_FAULT(SelectionCondition::parse("day LIKE '2026%'"), kUsage, "column 5: ");
  EXPECT_FAULT(SelectionCondition::parse("version = 'a"), kUsage, "column 11: ");
  EXPECT_FAULT(SelectionCondition::parse("(version = 'a'"), kUsage, "column 15: ");
  EXPECT_FAULT(SelectionCondition::parse("version = 'a' version"), kUsage, "column 15: ");
  EXPECT_FAULT(SelectionCondition::parse("version IN ()"), kUsage, "column 13: ");
  EXPECT_FAULT(SelectionCondition::parse("version = 'a'; DROP TABLE x"), kUsage, "column 14: ");
}

TEST(SelectionCondition, HasABound) {
  const std::string open(200, '(');
  EXPECT_FAULT(SelectionCondition::parse(open + "version = 'a'" + std::string(200, ')')), kUsage,
               "column 101: ");
  EXPECT_FAULT(SelectionCondition::parse(std::string(10'001, ' ')), kUsage, "column 10001: ");
  EXPECT_EQ(sql("version = 'a'" + std::string(5'000, ' ')), "(version = 'a')");
}

}  // namespace
}  // namespace copse::fleet
