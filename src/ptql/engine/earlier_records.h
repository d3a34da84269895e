// Records of one identifier, hashed by all their values, to find an earlier record with the same values (plan.h,
// Strategy::repetitions). Knows one record for each set of values.
//
// Cost: one hash of the values and one look-up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/hash_map.h"
#include "ptql/engine/record.h"

namespace copse::ptql {

class EarlierRecords {
 public:
  // REQUIRES: both outlive this object. `fields`: the fields that the identifier's records keep.
  EarlierRecords(const RecordLayout& layout, Node at, const std::vector<FieldReference>& fields)
      : layout_(layout), at_(at), fields_(fields) {}

  Node at() const { return at_; }
  // Returns true if a known record started before `record`, had its event, and has the same values.
  bool has_one_like(const Record& record) const;
  // REQUIRES: the record's event has happened, and the record stays in its table.
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
