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
  // Uses the records' links from `first_link` on, links() of them. `layout` outlives it.
  Table(const RecordLayout& layout, std::size_t first_link, std::vector<FieldReference> indexed);

  std::size_t links() const noexcept { return 1 + indexes_.size(); }
  std::size_t size() const noexcept { return size_; }
  bool has(const Record& record) const { return record.links[first_link_].in; }

  void add(Record& record);
  // Again when its END has brought more values.
  void put_into_indexes(Record& record);
  void remove(Record& record);

  Record* first() const { return first_; }
  Record* next(const Record& record) const { return record.links[first_link_].next; }
  std::size_t index_of(const FieldReference& field) const;  // one that it was made with
  Record* first_with(std::size_t index, const Value& value) const;
  Record* next_with(std::size_t index, const Record& record) const {
    return record.links[first_link_ + 1 + index].next;
  }

 private:
  struct Index {
    FieldReference field;
    std::unordered_map<Value, Record*, KeyHash, KeyEqual> first;
  };

  const RecordLayout& layout_;
  const std::size_t first_link_;
  std::vector<Index> indexes_;
  Record* first_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace copse::ptql
