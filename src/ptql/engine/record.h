// A record: one invocation or one object, with the fields that the query reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <list>
#include <vector>

#include "ptql/plan/plan.h"

namespace copse::ptql {

using Stamp = std::uint64_t;
inline constexpr Stamp kNotYet = std::numeric_limits<Stamp>::max();

// Names that all invocations of a method, or all objects of a class, share.
struct RecordNames {
  Relation relation = Relation::kMethodInvocation;
  IdentifierSet identifiers = 0;  // identifiers whose records they can be
  Value method_name{};
  Value declaring_class{};
  Value implementing_class{};
  Value dynamic_type{};
  Value equals_class{};
  Value hash_code_class{};
  Value compare_to_class{};
  Value parameters{};
};

struct Record {
  // Link of one list: a table's, or that of one key in an index.
  struct Link {
    std::uint32_t list;
    Record* previous;
    Record* next;
  };

  const RecordNames* names = nullptr;
  std::uint64_t number = 0;  // of the invocation or object
  Stamp start = 0;
  Stamp end = kNotYet;
  std::int64_t real_start = 0;
  std::int64_t real_end = 0;
  std::vector<Value> values;  // by slot of the layout
  Value context{};            // context at its START, for answers to show; shared by many records
  std::vector<Link> links;    // of the few lists that the record is in
  // number of tables that hold it, plus one while an event of it is handled
  std::uint32_t held = 0;
  std::size_t bytes = 0;             // size that the memory bound counts
  std::list<Record>::iterator self;  // position in the store

  // Resets the record. Keeps the memory of `values` and `links`.
  void clear();
  Stamp at(Node node) const { return node.end ? end : start; }
  // Returns nullptr if the record is not in the list.
  Link* link(std::uint32_t list) {
    for (Link& link : links) {
      if (link.list == list) return &link;
    }
    return nullptr;
  }
  const Link* link(std::uint32_t list) const { return const_cast<Record*>(this)->link(list); }
};

// Fields that records keep, and their slots.
class RecordLayout {
 public:
  explicit RecordLayout(const Plan& plan);

  std::size_t slots(Relation relation) const { return fields_[index(relation)].size(); }
  // Fields by slot; their `identifier` has no meaning.
  const std::vector<FieldReference>& fields(Relation relation) const {
    return fields_[index(relation)];
  }
  Value value(const Record& record, const FieldReference& field) const;

 private:
  static std::size_t index(Relation relation) { return static_cast<std::size_t>(relation); }
  std::vector<FieldReference> fields_[2];  // by relation
};

}  // namespace copse::ptql
