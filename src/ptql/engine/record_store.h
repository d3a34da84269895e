// Records that are in a table, or whose event is being handled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <vector>

#include "base/hash_map.h"
#include "ptql/engine/record.h"

namespace copse::ptql {

class RecordStore {
 public:
  // REQUIRES: `layout` outlives it
  explicit RecordStore(const RecordLayout& layout) : layout_(layout) {}

  // Makes a record with one hold, the caller's. REQUIRES: no running record of this relation has `number`.
  Record& make(const RecordNames& names, std::uint64_t number);
  // Updates the bytes counted for the record, after it may have changed.
  void weigh(Record& record);
  // Returns the record that has not ended; nullptr if there is none.
  Record* find(Relation relation, std::uint64_t number) const;
  void set_ended(Record& record);  // find() no longer returns it

  void hold(Record& record) { ++record.held; }
  // Drops one hold. Returns false if no table holds the record, which is then gone.
  bool release(Record& record);
  void release_if_unused(Record& record);

  Record* oldest() { return records_.empty() ? nullptr : &records_.front(); }
  std::vector<Record*> running(Relation relation) const;
  std::size_t count() const { return records_.size(); }
  std::size_t bytes() const { return bytes_; }

 private:
  using ByNumber = HashMap<Record*>;
  ByNumber& running_of(const Record& record) {
    return running_[static_cast<std::size_t>(record.names->relation)];
  }

  const RecordLayout& layout_;
  // Spare records above this number are freed.
  static constexpr std::size_t kMostSpare = 1024;

  std::list<Record> records_;  // by age
  std::list<Record> spare_;    // removed records, whose memory new ones reuse
  ByNumber running_[2];        // by relation
  std::size_t bytes_ = 0;
};

// Records of one identifier, hashed by all their values, to find an earlier record with the same values (plan.h,
// Strategy::repetitions). Knows one record for each set of values.
//
// Cost: one hash of the values and one look-up.
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
