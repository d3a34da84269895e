// The records that can be one identifier's in an answer to come, with indexes by fields.
//
// Adding, removing and finding cost a look-up per index. Records are linked through themselves, so
// one may leave while the lists are walked if the walker knows its next one already.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/hash_map.h"
#include "ptql/engine/record.h"

namespace copse::ptql {

// What an index knows a record by: a hash of the values of its fields.
using IndexKey = std::uint64_t;

// `value_of(i)` gives the value of its field i, in the order of the index, and `boxes_of(i)` which keys
// boxes have there. Nothing when one of them equals no other.
template <typename ValueOf, typename BoxesOf>
std::optional<IndexKey> key_of_values(std::size_t fields, const ValueOf& value_of,
                                      const BoxesOf& boxes_of) {
  IndexKey hash = 0;
  for (std::size_t i = 0; i < fields; ++i) {
    const std::optional<Value> key = index_key(value_of(i), boxes_of(i));
    if (!key) return {};
    hash = hash * kHashMultiplier + KeyHash()(*key);
    hash ^= hash >> 32;
  }
  return hash;
}

class Table {
 public:
  // Its lists have the numbers from `first_list` on, lists() of them. `layout` outlives it.
  Table(const RecordLayout& layout, std::uint32_t first_list,
        const std::vector<IndexFields>& indexes);

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
  std::optional<IndexKey> key_of(const Record& record, std::size_t index) const;
  // Records with other values may be among those with the key; none is missing.
  Record* first_with(std::size_t index, std::optional<IndexKey> key) const;
  Record* next_with(std::size_t index, const Record& record) const {
    return record.link(list_of(index))->next;
  }

 private:
  struct Index {
    IndexFields fields;
    HashMap<Record*> first;
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
