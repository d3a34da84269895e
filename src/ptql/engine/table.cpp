#include "ptql/engine/table.h"

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
             const std::vector<IndexFields>& indexes)
    : layout_(layout), first_list_(first_list) {
  for (const IndexFields& fields : indexes) indexes_.push_back({fields, {}});
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
    const auto key = key_of(record, i);
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
    const auto found = indexes_[i].first.find(*key_of(record, i));
    take_out(found.value(), record, list_of(i));
    if (found.value() == nullptr) indexes_[i].first.erase(found);
  }
}

std::optional<IndexKey> Table::key_of(const Record& record, std::size_t index) const {
  const IndexFields& fields = indexes_[index].fields;
  return key_of_values(
      fields.size(), [&](std::size_t i) { return layout_.value(record, fields[i].field); },
      [&](std::size_t i) { return fields[i].boxes; });
}

Record* Table::first_with(std::size_t index, std::optional<IndexKey> key) const {
  if (!key) return nullptr;
  const auto found = indexes_[index].first.find(*key);
  return found == indexes_[index].first.end() ? nullptr : found->second;
}

}  // namespace copse::ptql
