// A checked query: every identifier and field exists, and the types of every comparison allow it.
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

// Position in the query, in characters, from 1.
struct Place {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

// Set of identifiers, as bits. Identifiers and predicates are named by their position in the query.
using IdentifierSet = std::uint32_t;
inline constexpr std::size_t kMostIdentifiers = 16;
constexpr IdentifierSet set_of(std::size_t identifier) { return IdentifierSet{1} << identifier; }

struct Identifier {
  std::string name;
  Relation relation;
  bool negative;  // no record may match it
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

// A sum. A single positive term may be any value.
struct Operand {
  std::vector<Term> terms;

  const FieldReference* field() const;  // the field if it is the only term; else nullptr
  const Value* literal() const;         // the literal if it is the only term; else nullptr
};

struct Predicate {
  enum class Kind : std::uint8_t {
    kComparison,
    kMatches,  // =~ and !~, a Pattern on the whole string
    kGlob,     // GLOB, base/glob.h
    kUnder,    // under(x.context, glob): the method of some frame matches
  };
  Kind kind;
  Operand left;
  Comparison comparison = Comparison::kEqual;  // kComparison, like `right`
  Operand right{};
  // kComparison: tests whether two fields hold the same object. Compares boxes by identity, because not all such fields
  // know the value of a box.
  bool of_objects = false;
  std::shared_ptr<const Pattern> pattern{};  // kMatches
  bool negated = false;                      // kMatches: !~
  std::string glob{};                        // kGlob, kUnder
  std::string text{};                        // as written, on one line
  IdentifierSet identifiers = 0;             // identifiers that it names
};

// Combines the values of all tuples of a group; kCount counts the tuples.
enum class Aggregate : std::uint8_t { kNone, kCount, kSum, kMin, kMax, kAvg };
std::string_view spelled(Aggregate aggregate);  // "SUM"

struct SelectedItem {
  Aggregate aggregate = Aggregate::kNone;
  FieldReference field{};  // unless COUNT(*)

  bool has_field() const { return aggregate != Aggregate::kCount; }
};

// HAVING COUNT(*) >= 3: keeps groups with that many tuples, or with such a combined value.
struct GroupCondition {
  std::optional<std::size_t> selected;  // index into Query::selected; std::nullopt: COUNT(*)
  Comparison comparison;
  Value number;
};

struct OrderItem {
  std::size_t selected;  // index into Query::selected
  bool descending;
};

struct Query {
  std::vector<SelectedItem> selected;
  std::vector<Identifier> identifiers;
  std::vector<Predicate> predicates;
  std::vector<std::size_t> grouped_by;  // indexes into `selected`
  std::optional<GroupCondition> having;
  std::vector<OrderItem> ordered_by;
  std::optional<std::uint64_t> limit;

  const FieldFacts& facts(const FieldReference& reference) const {
    return facts_of(identifiers[reference.identifier].relation, reference.field);
  }
  bool aggregates() const;  // combines tuples, to show a value or to choose groups by it
  bool sums_up() const {    // answers come at the end of the run
    return aggregates() || !ordered_by.empty();
  }
  IdentifierSet negatives() const;
  IdentifierSet positives() const;
  std::string name_of(const FieldReference& reference) const;  // "x.startTime"
  std::string heading(
      const SelectedItem& item) const;  // "x.startTime", "COUNT(*)" or "SUM(x.param0)"
};

// Returns all fields that a predicate names, in its order.
std::vector<FieldReference> fields_of(const Predicate& predicate);

struct Problem {
  Place place;
  std::string what;
};

// "line 2, column 14: no field startTme; did you mean startTime?"
std::string to_text(const Problem& problem);
// Returns the line of the query with the place and, in a second line, a caret below the place. Printable; a long line
// is cut to the part around the place.
std::string with_caret(std::string_view query, Place place);

// Returns the query, or the first problem in it. Invalid UTF-8 is a problem.
std::variant<Query, Problem> parse_query(std::string_view text);

}  // namespace copse::ptql
