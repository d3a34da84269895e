// A rule of the gate: a condition on two reports under which the gate fails. docs/gate.md has the
// grammar.
//
//   calls(com.acme.Dao.**) under Handler.get > +0
//   alloc(**) / calls(Handler.get) > +5%
//   new contexts(**.log*)
//   more contexts(com.acme.**)
//   calls(Db.query) per slice(Handler.handle) > 10
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace copse::gate {

// A glob for methods (method_pattern.h).
struct Pattern {
  std::string glob;
  bool may_be_absent = false;  // followed by '?': need not match in either report
};

// A number in each report; for kMeasure, `measure` is the name as typed.
struct Term {
  enum class What {
    kMeasure,
    kNewContexts,
    kGoneContexts,
    kMoreContexts,  // called more often in NEW, new ones included
    kNewMethods,
    kGoneMethods
  };
  What what = What::kMeasure;
  std::string measure;
  Pattern of;
  std::optional<Pattern> under;      // requires a matching method further out on the path
  std::optional<Pattern> per_slice;  // the most calls in one slice of a matching method
};

enum class Comparator { kMore, kAtLeast, kFewer, kAtMost, kEqual, kDifferent };

// Right-hand side of a comparison: the number digits / scale.
struct Bound {
  enum class Kind {
    kPlain,    // 101: compares NEW's value with the number
    kChange,   // +3, -3: compares with OLD's value plus the number
    kPercent,  // +5%: compares with OLD's value plus the percentage
  };
  Kind kind = Kind::kPlain;
  std::int64_t digits = 0;
  std::int64_t scale = 1;  // 1, 10, ... 1,000,000
};

struct Rule {
  std::string text;  // as typed, without surrounding blanks
  Term term;
  std::optional<Term> divisor;
  Comparator comparator = Comparator::kMore;
  Bound bound;
};

// ">", "!=".
std::string_view symbol_of(Comparator comparator);
// Returns "new contexts" and the like for a term that counts contexts or methods, otherwise the
// measure.
std::string words_of(const Term& term);

}  // namespace copse::gate
