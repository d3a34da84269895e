#include "ptql/table.h"

namespace copse::ptql {
namespace {

void push_front(Record*& first, Record& record, std::size_t link) {
  record.links[link] = {nullptr, first, true};
  if (first != nullptr) first->links[link].previous = &record;
  first = &record;
}

void take_out(Record*& first, Record& record, std::size_t link) {
  const Record::Link own = record.links[link];
  (own.previous == nullptr ? first : own.previous->links[link].next) = own.next;
  if (own.next != nullptr) own.next->links[link].previous = own.previous;
  record.links[link] = {};
}

}  // namespace

Table::Table(const RecordLayout& layout, std::size_t first_link,
             std::vector<FieldReference> indexed)
    : layout_(layout), first_link_(first_link) {
  for (const FieldReference& field : indexed) indexes_.push_back({field, {}});
}

void Table::add(Record& record) {
  push_front(first_, record, first_link_);
  ++size_;
  ++record.held;
  put_into_indexes(record);
}

void Table::put_into_indexes(Record& record) {
  for (std::size_t i = 0; i < indexes_.size(); ++i) {
    const std::size_t link = first_link_ + 1 + i;
    if (record.links[link].in) continue;
    const auto key = index_key(layout_.value(record, indexes_[i].field));
    if (key) push_front(indexes_[i].first[*key], record, link);
  }
}

void Table::remove(Record& record) {
  take_out(first_, record, first_link_);
  --size_;
  --record.held;
  for (std::size_t i = 0; i < indexes_.size(); ++i) {
    const std::size_t link = first_link_ + 1 + i;
    const Record::Link& own = record.links[link];
    if (!own.in) continue;
    if (own.previous != nullptr) {
      take_out(first_, record, link);  // not the first: `first_` is not touched
      continue;
    }
    const auto found = indexes_[i].first.find(*index_key(layout_.value(record, indexes_[i].field)));
    take_out(found->second, record, link);
    if (found->second == nullptr) indexes_[i].first.erase(found);
  }
}

std::size_t Table::index_of(const FieldReference& field) const {
  std::size_t i = 0;
  while (!(indexes_[i].field == field)) ++i;
  return i;
}

Record* Table::first_with(std::size_t index, const Value& value) const {
  const auto key = index_key(value);
  if (!key) return nullptr;
  const auto found = indexes_[index].first.find(*key);
  return found == indexes_[index].first.end() ? nullptr : found->second;
}

}  // namespace copse::ptql
