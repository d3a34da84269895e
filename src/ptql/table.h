// The records that can be one identifier's in an answer to come, with indexes by fields.
//
// Adding, removing and finding cost a look-up per index. Records are linked through themselves, so
// one may leave while the lists are walked if the walker knows its next one already.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "ptql/record.h"

namespace copse::ptql {

class Table {
 public:
  // Its lists have the numbers from `first_list` on, lists() of them. `layout` outlives it.
  Table(const RecordLayout& layout, std::uint32_t first_list, std::vector<FieldReference> indexed);

  std::uint32_t lists() const noexcept { return 1 + static_cast<std::uint32_t>(indexes_.size()); }
  std::size_t size() const noexcept { return size_; }
  std::size_t ended() const noexcept { return ended_; }  // of its records
  bool has(const Record& record) const { return record.link(first_list_) != nullptr; }

  void add(Record& record);
  // Once, when its END has brought more values.
  void add_end(Record& record);
  void remove(Record& record);

  Record* first() const { return first_; }
  Record* next(const Record& record) const { return record.link(first_list_)->next; }
  std::size_t index_of(const FieldReference& field) const;  // one that it was made with
  Record* first_with(std::size_t index, const Value& value) const;
  Record* next_with(std::size_t index, const Record& record) const {
    return record.link(list_of(index))->next;
  }

 private:
  struct Index {
    FieldReference field;
    std::unordered_map<Value, Record*, KeyHash, KeyEqual> first;
  };

  void put_into_indexes(Record& record);
  std::uint32_t list_of(std::size_t index) const {
    return first_list_ + 1 + static_cast<std::uint32_t>(index);
  }

  const RecordLayout& layout_;
  const std::uint32_t first_list_;
  std::vector<Index> indexes_;
  Record* first_ = nullptr;
  std::size_t size_ = 0;
  std::size_t ended_ = 0;
};

}  // namespace copse::ptql
