// The records that are in a table, or whose event is being handled.
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
  explicit RecordStore(const RecordLayout& layout) : layout_(layout) {}  // which outlives it

  // Held once, by its maker. `number` has no record of this relation that runs.
  Record& make(const RecordNames& names, std::uint64_t number);
  // Counts what it takes, when that may have changed.
  void weigh(Record& record);
  // The record that has not ended, or nullptr.
  Record* find(Relation relation, std::uint64_t number) const;
  void set_ended(Record& record);  // find() gives it no more

  void hold(Record& record) { ++record.held; }
  // Whether a table has it; otherwise it is gone.
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
  // More than these are given back.
  static constexpr std::size_t kMostSpare = 1024;

  std::list<Record> records_;  // by age
  std::list<Record> spare_;    // that are gone, whose memory the next ones take
  ByNumber running_[2];        // by relation
  std::size_t bytes_ = 0;
};

}  // namespace copse::ptql
