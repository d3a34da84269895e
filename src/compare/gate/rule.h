// A rule of the gate: says of two reports when the gate fails. docs/gate.md has the grammar.
//
//   calls(com.acme.Dao.**) under Handler.get > +0
//   alloc(**) / calls(Handler.get) > +5%
//   new contexts(**.log*)
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace copse::gate {

// Methods, by a glob (method_pattern.h).
struct Pattern {
  std::string glob;
  bool may_be_absent =
      false;  // a '?' behind it: that neither report knows such a method is no doubt
};

// A number that both reports have; of kMeasure the name as it was typed.
struct Term {
  enum class What { kMeasure, kNewContexts, kGoneContexts, kNewMethods, kGoneMethods };
  What what = What::kMeasure;
  std::string measure;
  Pattern of;
  std::optional<Pattern> under;  // only where a method of it is further out on the path
};

enum class Comparator { kMore, kAtLeast, kFewer, kAtMost, kEqual, kDifferent };

// What is compared with: a number, digits / scale.
struct Bound {
  enum class Kind {
    kPlain,    // 101: NEW's value is compared
    kChange,   // +3, -3: NEW's value with OLD's and the number
    kPercent,  // +5%: NEW's value with so much more than OLD's
  };
  Kind kind = Kind::kPlain;
  std::int64_t digits = 0;
  std::int64_t scale = 1;  // 1, 10, ... 1,000,000
};

struct Rule {
  std::string text;  // as it was typed, without blanks around it
  Term term;
  std::optional<Term> divisor;
  Comparator comparator = Comparator::kMore;
  Bound bound;
};

// ">", "!=".
std::string_view symbol_of(Comparator comparator);
// Of a term that counts contexts or methods: "new contexts"; else the measure.
std::string words_of(const Term& term);

}  // namespace copse::gate
