#include "ptql/engine/record_store.h"

#include <algorithm>
#include <iterator>

namespace copse::ptql {
namespace {

// Returns true if what a comparison sees inside of both objects is the same: a constructor does not know the value of its
// receiver, which later calls know.
bool tell_the_same(const Value& a, const Value& b) {
  return identical(a, b) && a.is_box() == b.is_box() &&
         (a.text() == nullptr) == (b.text() == nullptr);
}

}  // namespace

Record& RecordStore::make(const RecordNames& names, std::uint64_t number) {
  if (spare_.empty()) spare_.emplace_back();
  records_.splice(records_.end(), spare_, spare_.begin());
  Record& record = records_.back();
  record.self = std::prev(records_.end());
  record.names = &names;
  record.number = number;
  record.values.resize(layout_.slots(names.relation));
  record.held = 1;
  running_of(record)[number] = &record;
  return record;
}

// As measured, too: a million records that wait are at most a tenth larger than this.
void RecordStore::weigh(Record& record) {
  constexpr std::size_t kAllocation = 16;  // what malloc takes beside
  // In the list, and an entry by its number in a table that is a quarter to half full.
  constexpr std::size_t kNode = 2 * sizeof(void*) + kAllocation + kHashMapEntry;
  std::size_t bytes = sizeof(Record) + kNode + 2 * kAllocation +
                      record.links.capacity() * (sizeof(Record::Link) + kHashMapEntry) +
                      record.values.capacity() * sizeof(Value);
  for (const Value& value : record.values) bytes += value.heap_bytes();
  bytes_ += bytes - record.bytes;
  record.bytes = bytes;
}

Record* RecordStore::find(Relation relation, std::uint64_t number) const {
  const ByNumber& running = running_[static_cast<std::size_t>(relation)];
  const auto found = running.find(number);
  return found == running.end() ? nullptr : found->second;
}

void RecordStore::set_ended(Record& record) { running_of(record).erase(record.number); }

bool RecordStore::release(Record& record) {
  --record.held;
  if (record.held > 0) return true;
  release_if_unused(record);
  return false;
}

void RecordStore::release_if_unused(Record& record) {
  if (record.held > 0) return;
  bytes_ -= record.bytes;
  if (record.end == kNotYet) running_of(record).erase(record.number);
  if (spare_.size() >= kMostSpare) {
    records_.erase(record.self);
    return;
  }
  record.clear();
  spare_.splice(spare_.begin(), records_, record.self);
}

std::vector<Record*> RecordStore::running(Relation relation) const {
  std::vector<Record*> all;
  for (const auto& [number, record] : running_[static_cast<std::size_t>(relation)]) {
    all.push_back(record);
  }
  return all;
}

std::uint64_t EarlierRecords::hash_of(const Record& record) const {
  std::uint64_t hash = 0;
  for (const FieldReference& field : fields_) {
    hash = (hash ^ KeyHash()(layout_.value(record, field))) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  }
  return hash;
}

bool EarlierRecords::is_alike(const Record& a, const Record& b) const {
  return std::ranges::all_of(fields_, [&](const FieldReference& field) {
    return tell_the_same(layout_.value(a, field), layout_.value(b, field));
  });
}

bool EarlierRecords::has_one_like(const Record& record) const {
  const auto known = first_.find(hash_of(record));
  return known != first_.end() && known->second->start < record.start &&
         is_alike(*known->second, record);
}

// Keeps the record that started first among equal ones: it can replace the most later records.
void EarlierRecords::add(const Record& record) {
  const auto [known, is_new] = first_.try_emplace(hash_of(record), &record);
  if (!is_new && record.start < known->second->start) known.value() = &record;
}

void EarlierRecords::remove(const Record& record) {
  const auto known = first_.find(hash_of(record));
  if (known != first_.end() && known->second == &record) first_.erase(known);
}

}  // namespace copse::ptql
