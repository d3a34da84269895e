#include "ptql/language/value.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace copse::ptql {
namespace {

constexpr Comparison kAll[] = {Comparison::kLess,     Comparison::kAtMost,  Comparison::kEqual,
                               Comparison::kNotEqual, Comparison::kAtLeast, Comparison::kGreater};

// The comparisons that hold.
std::string relation(const Value& left, const Value& right) {
  std::string text;
  for (const Comparison comparison : kAll) {
    if (holds(left, comparison, right))
      text += (text.empty() ? "" : " ") + std::string(spelled(comparison));
  }
  return text;
}

TEST(PtqlValue, ComparesNumbersExactly) {
  EXPECT_EQ(relation(Value::integer(1), Value::integer(2)), "< <= !=");
  EXPECT_EQ(relation(Value::integer(2), Value::real(2.0)), "<= = >=");
  EXPECT_EQ(relation(Value::real(2.5), Value::integer(2)), "!= >= >");
  EXPECT_EQ(relation(Value::integer(-2), Value::real(-2.5)), "!= >= >");
  // As doubles these would be equal.
  EXPECT_EQ(relation(Value::integer(9007199254740993), Value::real(9007199254740992.0)), "!= >= >");
  EXPECT_EQ(relation(Value::integer(std::numeric_limits<std::int64_t>::max()), Value::real(0x1p63)),
            "< <= !=");
  EXPECT_EQ(
      relation(Value::integer(std::numeric_limits<std::int64_t>::min()), Value::real(-0x1p63)),
      "<= = >=");
  EXPECT_EQ(relation(Value::real(std::nan("")), Value::real(std::nan(""))), "!=");
  EXPECT_EQ(relation(Value::real(std::nan("")), Value::integer(0)), "!=");
}

TEST(PtqlValue, GivesObjectsAndBooleansNoOrder) {
  EXPECT_EQ(relation(Value::object(7), Value::object(7)), "=");
  EXPECT_EQ(relation(Value::object(7), Value::object(8)), "!=");
  EXPECT_EQ(relation(Value::boolean(true), Value::boolean(true)), "=");
  EXPECT_EQ(relation(Value::boolean(true), Value::boolean(false)), "!=");
  EXPECT_EQ(relation(Value::null(), Value::object(0)), "=");
}

TEST(PtqlValue, ComparesTextsWithTextsAndObjectsByIdentity) {
  const Value one = Value::text_object(7, "a");
  const Value other = Value::text_object(8, "a");
  EXPECT_EQ(relation(one, other), "!=");
  EXPECT_EQ(relation(one, Value::string("a")), "<= = >=");
  EXPECT_EQ(relation(Value::string("b"), one), "!= >= >");
  EXPECT_EQ(relation(Value::object(7), Value::string("a")), "!=");
  EXPECT_EQ(relation(one, Value::object(7)), "=");
}

TEST(PtqlValue, ComparesBoxesAsJavaDoes) {
  const Value five = Value::box(7, Value::integer(5));
  EXPECT_EQ(relation(five, Value::integer(5)), "<= = >=");
  EXPECT_EQ(relation(Value::real(4.5), five), "< <= !=");
  EXPECT_EQ(relation(Value::box(8, Value::real(5)), Value::integer(5)), "<= = >=");
  EXPECT_EQ(relation(Value::box(9, Value::boolean(true)), Value::boolean(true)), "=");
  EXPECT_EQ(relation(Value::boolean(false), Value::box(9, Value::boolean(true))), "!=");
  // Two boxes are compared by identity with =, and by their values with <.
  EXPECT_EQ(relation(five, Value::box(8, Value::integer(5))), "<= != >=");
  EXPECT_EQ(relation(five, five), "<= = >=");
  EXPECT_EQ(relation(five, Value::box(8, Value::integer(6))), "< <= !=");
  EXPECT_EQ(relation(five, Value::object(7)), "=");
  // No number is true, a text or null.
  EXPECT_EQ(relation(five, Value::boolean(true)), "!=");
  EXPECT_EQ(relation(five, Value::string("5")), "!=");
  EXPECT_EQ(relation(five, Value::null()), "!=");
  EXPECT_EQ(relation(Value::null(), Value::integer(0)), "!=");
  EXPECT_EQ(relation(Value::box(7, Value::real(std::nan(""))), Value::real(std::nan(""))), "!=");
  EXPECT_EQ(sum(five, Value::integer(2), true).as_integer(), 3);
  EXPECT_FALSE(sum(Value::box(9, Value::boolean(true)), Value::integer(2), true).present());
  EXPECT_EQ(to_text(primitive_of(five)), "5");
  EXPECT_FALSE(primitive_of(Value::object(7)).present());
}

TEST(PtqlValue, SortsBoxesAmongWhatIsInThem) {
  const Value sorted[] = {Value::box(3, Value::boolean(false)),
                          Value::boolean(true),
                          Value::box(2, Value::real(std::nan(""))),
                          Value::integer(1),
                          Value::box(4, Value::integer(1)),
                          Value::box(5, Value::real(1)),
                          Value::box(1, Value::integer(2)),
                          Value::string("a"),
                          Value::object(9)};
  for (const Value& left : sorted) {
    for (const Value& right : sorted) {
      EXPECT_EQ(sorts_before(left, right), &left < &right)
          << to_text(left) << ", " << to_text(right);
    }
  }
}

TEST(PtqlValue, PutsValuesOfOtherTypesIntoNoRelationButDifference) {
  EXPECT_EQ(relation(Value::integer(1), Value::boolean(true)), "!=");
  EXPECT_EQ(relation(Value::integer(0), Value::null()), "!=");
  EXPECT_EQ(relation(Value::string("1"), Value::integer(1)), "!=");
  EXPECT_EQ(relation(Value(), Value()), "");
  EXPECT_EQ(relation(Value(), Value::integer(1)), "");
}

TEST(PtqlValue, AddsExactlyWhileALongHoldsIt) {
  EXPECT_EQ(sum(Value::integer(2), Value::integer(3), true).as_integer(), -1);
  const Value most = Value::integer(std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(sum(most, Value::integer(1), false).as_real(), 0x1p63);
  EXPECT_EQ(sum(Value::real(0.5), Value::integer(1), false).as_real(), 1.5);
  EXPECT_FALSE(sum(Value::boolean(true), Value::integer(1), false).present());
  EXPECT_FALSE(sum(Value(), Value::integer(1), false).present());
}

TEST(PtqlValue, HasEqualKeysExactlyWhenEqual) {
  const Value values[] = {
      Value::integer(0),          Value::integer(1),  Value::real(1.0),         Value::real(1.5),
      Value::real(-0.0),          Value::real(1e300), Value::boolean(true),     Value::object(1),
      Value::text_object(1, "a"), Value::null(),      Value::real(std::nan(""))};
  for (const Value& left : values) {
    for (const Value& right : values) {
      const auto a = index_key(left, Boxes::kObjects);
      const auto b = index_key(right, Boxes::kObjects);
      const bool same = a && b && identical(*a, *b);
      EXPECT_EQ(same, holds(left, Comparison::kEqual, right))
          << to_text(left) << ", " << to_text(right);
      EXPECT_TRUE(!same || KeyHash()(*a) == KeyHash()(*b));
    }
  }
}

TEST(PtqlValue, HasKeysOfBoxesThatFindAllThatIsEqual) {
  const Value nan = Value::real(std::nan(""));
  const Value values[] = {Value::integer(1),
                          Value::real(1.5),
                          Value::boolean(true),
                          Value::object(9),
                          Value::null(),
                          Value::box(1, Value::integer(1)),
                          Value::box(2, Value::integer(1)),
                          Value::box(3, Value::real(1.5)),
                          Value::box(4, Value::boolean(true)),
                          Value::box(5, nan),
                          nan};
  for (const Value& left : values) {
    for (const Value& right : values) {
      if (!holds(left, Comparison::kEqual, right)) continue;
      EXPECT_TRUE(identical(*index_key(left, Boxes::kValues), *index_key(right, Boxes::kValues)))
          << to_text(left) << ", " << to_text(right);
    }
  }
  const Value other = Value::box(2, Value::integer(1));
  EXPECT_FALSE(
      identical(*index_key(values[5], Boxes::kObjects), *index_key(other, Boxes::kObjects)));
}

TEST(PtqlValue, IsShownAsAnswersHaveIt) {
  EXPECT_EQ(to_text(Value::integer(-5)), "-5");
  EXPECT_EQ(to_text(Value::real(2)), "2.0");
  EXPECT_EQ(to_text(Value::real(0.1)), "0.1");
  EXPECT_EQ(to_text(Value::real(std::numeric_limits<double>::quiet_NaN())), "NaN");
  EXPECT_EQ(to_text(Value::real(-std::numeric_limits<double>::infinity())), "-Infinity");
  EXPECT_EQ(to_text(Value::text_object(7, "x")), "object 7 'x'");
  EXPECT_EQ(to_text(Value::box(7, Value::real(2))), "object 7 (2.0)");
  EXPECT_EQ(to_text(Value::null()), "null");
  EXPECT_EQ(to_text(Value()), "-");
}

}  // namespace
}  // namespace copse::ptql
