// Records that one identifier can have in a future answer, with indexes by fields.
//
// Adding, removing and finding cost one look-up per index. Links are inside the records, so a record may leave while a
// list is walked if the walker already knows the next record.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/hash_map.h"
#include "ptql/engine/record.h"

namespace copse::ptql {

// Key of a record in an index: a hash of the values of the index's fields.
using IndexKey = std::uint64_t;

// Returns the key for `value_of(i)`, the value of field i in the order of the index, and `boxes_of(i)`, the kind of key
// that boxes have there. Returns std::nullopt if one of the values equals no other value.
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
  // Uses lists() list numbers from `first_list` on. REQUIRES: `layout` outlives the table.
  Table(const RecordLayout& layout, std::uint32_t first_list,
        const std::vector<IndexFields>& indexes);

  std::uint32_t lists() const noexcept { return 1 + static_cast<std::uint32_t>(indexes_.size()); }
  std::size_t size() const noexcept { return size_; }
  std::size_t ended() const noexcept { return ended_; }  // number of records that have ended
  bool has(const Record& record) const { return record.link(first_list_) != nullptr; }

  void add(Record& record);
  // Adds the values known at END to the indexes. REQUIRES: called once per record.
  void add_end(Record& record);
  void remove(Record& record);

  Record* first() const { return first_; }
  Record* next(const Record& record) const { return record.link(first_list_)->next; }
  std::optional<IndexKey> key_of(const Record& record, std::size_t index) const;
  // Finds all records with the key; records with other values may be among them.
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
