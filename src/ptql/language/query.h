// A query as it was asked, checked: every identifier and field in it is there, and every comparison
// is one that its types allow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ptql/language/field.h"
#include "ptql/language/pattern.h"
#include "ptql/language/value.h"

namespace copse::ptql {

// In characters of the query, from 1.
struct Place {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

// Identifiers and predicates are spoken of by their position in the query; sets of identifiers are
// bits.
using IdentifierSet = std::uint32_t;
inline constexpr std::size_t kMostIdentifiers = 16;
constexpr IdentifierSet set_of(std::size_t identifier) { return IdentifierSet{1} << identifier; }

struct Identifier {
  std::string name;
  Relation relation;
  bool negative;  // no record may take this place
  Place place;
};

struct FieldReference {
  std::uint32_t identifier;
  Field field;
  std::uint32_t parameter;
  friend bool operator==(const FieldReference&, const FieldReference&) = default;
};

struct Term {
  bool minus;
  std::variant<FieldReference, Value> what;
};

// A sum; of one term that is not negative, any value.
struct Operand {
  std::vector<Term> terms;

  const FieldReference* field() const;  // when it is that alone, else nullptr
  const Value* literal() const;         // likewise
};

struct Predicate {
  enum class Kind : std::uint8_t {
    kComparison,
    kMatches,  // =~ and !~, a Pattern on the whole string
    kGlob,     // GLOB, base/glob.h
    kUnder,    // under(x.context, glob): a frame of the context is of a method that matches
  };
  Kind kind;
  Operand left;
  Comparison comparison = Comparison::kEqual;  // kComparison, as `right`
  Operand right{};
  // kComparison: of two fields that hold one object or not. Boxes do not count as their values, which
  // not all such fields know.
  bool of_objects = false;
  std::shared_ptr<const Pattern> pattern{};  // kMatches
  bool negated = false;                      // kMatches: !~
  std::string glob{};                        // kGlob, kUnder
  std::string text{};                        // as asked, on one line
  IdentifierSet identifiers = 0;             // that it names
};

struct SelectedItem {
  bool count = false;  // COUNT(*): of the tuples
  FieldReference field{};
};

// HAVING COUNT(*) >= 3: groups with so many tuples.
struct GroupSize {
  Comparison comparison;
  std::int64_t number;
};

struct OrderItem {
  std::size_t selected;  // which of Query::selected
  bool descending;
};

struct Query {
  std::vector<SelectedItem> selected;
  std::vector<Identifier> identifiers;
  std::vector<Predicate> predicates;
  std::vector<std::size_t> grouped_by;  // which of `selected`
  std::optional<GroupSize> having;
  std::vector<OrderItem> ordered_by;
  std::optional<std::uint64_t> limit;

  const FieldFacts& facts(const FieldReference& reference) const {
    return facts_of(identifiers[reference.identifier].relation, reference.field);
  }
  bool counts() const;    // tuples, to show or to choose groups by their number
  bool sums_up() const {  // so that answers come at the end of the run
    return counts() || !ordered_by.empty();
  }
  IdentifierSet negatives() const;
  IdentifierSet positives() const;
  std::string name_of(const FieldReference& reference) const;  // "x.startTime"
  std::string heading(const SelectedItem& item) const;         // likewise, or "COUNT(*)"
};

// All fields that a predicate names, in its order.
std::vector<FieldReference> fields_of(const Predicate& predicate);

struct Problem {
  Place place;
  std::string what;
};

// "line 2, column 14: no field startTme; did you mean startTime?"
std::string to_text(const Problem& problem);
// The line of the query that a place is in and, in a second line, a caret below the place. Printable;
// of a long line the part around the place.
std::string with_caret(std::string_view query, Place place);

// The query, or the first thing that is wrong with it. Bytes that are no UTF-8 are wrong.
std::variant<Query, Problem> parse_query(std::string_view text);

}  // namespace copse::ptql
