#include "fleet/slice_condition.h"

#include <gtest/gtest.h>

namespace copse::fleet {
namespace {

std::string sql(std::string_view text) {
  const Result<SliceCondition> condition = SliceCondition::parse(text);
  return condition.ok() ? condition->sql() : condition.message();
}

std::string labels(std::string_view text) {
  const Result<SliceCondition> condition = SliceCondition::parse(text);
  return condition.ok() ? condition->sql_of_labels() : condition.message();
}

TEST(SliceCondition, ComparesTheColumnsOfAFleet) {
  EXPECT_EQ(sql("version = '2.1'"), "(version = '2.1')");
  EXPECT_EQ(sql("SERVICE<>'shop'"), "(service != 'shop')");
  EXPECT_EQ(sql("service like 'shop%'"), "(service LIKE 'shop%')");
  EXPECT_EQ(sql("version NOT IN ('2.0','2.1')"), "(version NOT IN ('2.0', '2.1'))");
  EXPECT_EQ(sql("day >= 2026-11-01"), "(day >= toDate('2026-11-01'))");
  EXPECT_EQ(sql("day = '2026-11-01'"), "(day = toDate('2026-11-01'))");
  EXPECT_EQ(sql("day between 2026-11-01 and 2026-11-03"),
            "((day >= toDate('2026-11-01')) AND (day <= toDate('2026-11-03')))");
}

TEST(SliceCondition, BindsAndBeforeOr) {
  EXPECT_EQ(sql("version = '1' OR version = '2' AND service = 's'"),
            "((version = '1') OR ((version = '2') AND (service = 's')))");
  EXPECT_EQ(sql("(version = '1' OR version = '2') AND service = 's'"),
            "(((version = '1') OR (version = '2')) AND (service = 's'))");
}

TEST(SliceCondition, TakesNotDownToTheComparisons) {
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
TEST(SliceCondition, LeavesDaysOutForTablesWithoutThem) {
  EXPECT_EQ(labels("day >= 2026-11-01"), "1");
  EXPECT_EQ(labels("NOT day = 2026-11-01 AND version = '1'"), "(1 AND (version = '1'))");
  EXPECT_EQ(labels("NOT (day = 2026-11-01 AND version = '1')"), "(1 OR (version != '1'))");
}

TEST(SliceCondition, SendsWhatWasTypedInQuotesAlone) {
  EXPECT_EQ(sql("version = 'it''s'"), "(version = 'it\\'s')");
  EXPECT_EQ(sql("version = '\\'') OR 1 = 1 --'"), "(version = '\\\\\\') OR 1 = 1 --')");
  EXPECT_EQ(sql("version = '\\'"), "(version = '\\\\')");
  EXPECT_EQ(sql(std::string("version = '\0'", 13)), "(version = '\\0')");
}

TEST(SliceCondition, SaysWhereItIsNotUnderstood) {
  EXPECT_EQ(sql(""), "column 1: service, version or day is expected");
  EXPECT_EQ(sql("host = 'a'"), "column 1: service, version or day is expected");
  EXPECT_EQ(sql("version 1"),
            "column 9: is not understood; texts stand in '...', days as 2026-11-23");
  EXPECT_EQ(sql("version = 2.1"),
            "column 11: is not understood; texts stand in '...', days as 2026-11-23");
  EXPECT_EQ(sql("version = service"), "column 11: a text in quotes is expected, for example '2.1'");
  EXPECT_EQ(sql("version > '2.9'"),
            "column 9: > is for days alone, because 2.10 comes before 2.9 as a text");
  EXPECT_EQ(sql("day = 'today'"), "column 7: a day is expected, for example 2026-11-23");
  EXPECT_EQ(sql("day = 2026-13-01"),
            "column 7: is not understood; texts stand in '...', days as 2026-11-23");
  EXPECT_EQ(sql("day LIKE '2026%'"), "column 5: day has no LIKE, but BETWEEN");
  EXPECT_EQ(sql("version = 'a"), "column 11: a text that begins here does not end");
  EXPECT_EQ(sql("(version = 'a'"), "column 15: AND, OR or ) is expected");
  EXPECT_EQ(sql("version = 'a' version"), "column 15: AND, OR or the end is expected");
  EXPECT_EQ(sql("version IN ()"), "column 13: a text in quotes is expected, for example '2.1'");
  EXPECT_EQ(sql("version = 'a'; DROP TABLE x"),
            "column 14: is not understood; texts stand in '...', days as 2026-11-23");
}

TEST(SliceCondition, HasABound) {
  const std::string open(200, '(');
  EXPECT_EQ(sql(open + "version = 'a'" + std::string(200, ')')),
            "column 101: has too many parentheses and NOT inside each other");
  EXPECT_EQ(sql(std::string(10'001, ' ')), "column 10001: is too long");
  EXPECT_EQ(sql("version = 'a'" + std::string(5'000, ' ')), "(version = 'a')");
}

}  // namespace
}  // namespace copse::fleet
