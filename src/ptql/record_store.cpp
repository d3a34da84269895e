#include "ptql/record_store.h"

#include <utility>

namespace copse::ptql {

Record& RecordStore::make(const RecordNames& names, std::uint64_t number, std::size_t links) {
  auto made = std::make_unique<Record>();
  Record& record = *made;
  record.names = &names;
  record.number = number;
  record.values.resize(layout_.slots(names.relation));
  record.links.resize(links);
  record.held = 1;
  record.older = newest_;
  (newest_ == nullptr ? oldest_ : newest_->newer) = &record;
  newest_ = &record;
  ++count_;
  running_of(record)[number] = std::move(made);
  return record;
}

void RecordStore::weigh(Record& record) {
  // Nodes of the store's table, and of an index for every other link or so.
  constexpr std::size_t kNode = 48;
  constexpr std::size_t kIndexNode = 32;
  std::size_t bytes = sizeof(Record) + kNode +
                      record.links.size() * (sizeof(Record::Link) + kIndexNode) +
                      record.values.size() * sizeof(Value);
  for (const Value& value : record.values) bytes += value.heap_bytes();
  bytes_ += bytes - record.bytes;
  record.bytes = bytes;
}

Record* RecordStore::find(Relation relation, std::uint64_t number) const {
  const ByNumber& running = running_[static_cast<std::size_t>(relation)];
  const auto found = running.find(number);
  return found == running.end() ? nullptr : found->second.get();
}

void RecordStore::set_ended(Record& record) {
  ByNumber& running = running_of(record);
  const auto found = running.find(record.number);
  ended_[&record] = std::move(found->second);
  running.erase(found);
}

bool RecordStore::release(Record& record) {
  --record.held;
  if (record.held > 0) return true;
  release_if_unused(record);
  return false;
}

void RecordStore::release_if_unused(Record& record) {
  if (record.held > 0) return;
  (record.older == nullptr ? oldest_ : record.older->newer) = record.newer;
  (record.newer == nullptr ? newest_ : record.newer->older) = record.older;
  --count_;
  bytes_ -= record.bytes;
  if (record.end == kNotYet) {
    running_of(record).erase(record.number);
  } else {
    ended_.erase(&record);
  }
}

std::vector<Record*> RecordStore::running(Relation relation) const {
  std::vector<Record*> all;
  for (const auto& [number, record] : running_[static_cast<std::size_t>(relation)]) {
    all.push_back(record.get());
  }
  return all;
}

}  // namespace copse::ptql
