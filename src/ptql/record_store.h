// The records that are in a table, or whose event is being handled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "ptql/record.h"

namespace copse::ptql {

class RecordStore {
 public:
  explicit RecordStore(const RecordLayout& layout) : layout_(layout) {}  // which outlives it

  // Held once, by its maker. `number` has no record of this relation that runs. `links`: of all tables.
  Record& make(const RecordNames& names, std::uint64_t number, std::size_t links);
  // Counts what its values take, again when its END has brought more.
  void weigh(Record& record);
  // The record that has not ended, or nullptr.
  Record* find(Relation relation, std::uint64_t number) const;
  void set_ended(Record& record);  // find() gives it no more

  void hold(Record& record) { ++record.held; }
  // Whether a table has it; otherwise it is gone.
  bool release(Record& record);
  void release_if_unused(Record& record);

  Record* oldest() const { return oldest_; }
  std::vector<Record*> running(Relation relation) const;
  std::size_t count() const { return count_; }
  std::size_t bytes() const { return bytes_; }

 private:
  using ByNumber = std::unordered_map<std::uint64_t, std::unique_ptr<Record>>;
  ByNumber& running_of(const Record& record) {
    return running_[static_cast<std::size_t>(record.names->relation)];
  }

  const RecordLayout& layout_;
  ByNumber running_[2];  // by relation
  std::unordered_map<Record*, std::unique_ptr<Record>> ended_;
  Record* oldest_ = nullptr;
  Record* newest_ = nullptr;
  std::size_t count_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace copse::ptql
