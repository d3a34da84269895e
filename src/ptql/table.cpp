#include "ptql/table.h"

namespace copse::ptql {
namespace {

void push_front(Record*& first, Record& record, std::uint32_t list) {
  record.links.push_back({list, nullptr, first});
  if (first != nullptr) first->link(list)->previous = &record;
  first = &record;
}

void take_out(Record*& first, Record& record, std::uint32_t list) {
  Record::Link& link = *record.link(list);
  (link.previous == nullptr ? first : link.previous->link(list)->next) = link.next;
  if (link.next != nullptr) link.next->link(list)->previous = link.previous;
  link = record.links.back();
  record.links.pop_back();
}

}  // namespace

Table::Table(const RecordLayout& layout, std::uint32_t first_list,
             std::vector<FieldReference> indexed)
    : layout_(layout), first_list_(first_list) {
  for (const FieldReference& field : indexed) indexes_.push_back({field, {}});
}

void Table::add(Record& record) {
  push_front(first_, record, first_list_);
  ++size_;
  ++record.held;
  put_into_indexes(record);
}

void Table::add_end(Record& record) {
  ++ended_;
  put_into_indexes(record);
}

void Table::put_into_indexes(Record& record) {
  for (std::size_t i = 0; i < indexes_.size(); ++i) {
    if (record.link(list_of(i)) != nullptr) continue;
    const auto key = index_key(layout_.value(record, indexes_[i].field));
    if (key) push_front(indexes_[i].first[*key], record, list_of(i));
  }
}

void Table::remove(Record& record) {
  take_out(first_, record, first_list_);
  --size_;
  if (record.end != kNotYet) --ended_;
  --record.held;
  for (std::size_t i = 0; i < indexes_.size(); ++i) {
    const Record::Link* link = record.link(list_of(i));
    if (link == nullptr) continue;
    if (link->previous != nullptr) {
      take_out(first_, record, list_of(i));  // not the first: `first_` is not touched
      continue;
    }
    const auto found = indexes_[i].first.find(*index_key(layout_.value(record, indexes_[i].field)));
    take_out(found->second, record, list_of(i));
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
