// The records of an identifier by all their values, to find one that said the same before (plan.h,
// Strategy::repetitions). Of several that did it knows one.
//
// Cost: a look-up, and a hash of the values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/hash_map.h"
#include "ptql/engine/record.h"

namespace copse::ptql {

class EarlierRecords {
 public:
  // Both outlive it. `fields`: those that the identifier's records keep.
  EarlierRecords(const RecordLayout& layout, Node at, const std::vector<FieldReference>& fields)
      : layout_(layout), at_(at), fields_(fields) {}

  Node at() const { return at_; }
  // One that started before `record`, had its event, and has the same values.
  bool has_one_like(const Record& record) const;
  // Its event has happened, and it stays.
  void add(const Record& record);
  void remove(const Record& record);

 private:
  std::uint64_t hash_of(const Record& record) const;
  bool is_alike(const Record& a, const Record& b) const;

  const RecordLayout& layout_;
  const Node at_;
  const std::vector<FieldReference>& fields_;
  HashMap<const Record*> first_;  // by hash
};

}  // namespace copse::ptql
