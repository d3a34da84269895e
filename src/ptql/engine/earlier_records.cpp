#include "ptql/engine/earlier_records.h"

#include <algorithm>

namespace copse::ptql {
namespace {

// Returns true if what a comparison sees inside of both objects is the same: a constructor does not know the value of its
// receiver, which later calls know.
bool tell_the_same(const Value& a, const Value& b) {
  return identical(a, b) && a.is_box() == b.is_box() &&
         (a.text() == nullptr) == (b.text() == nullptr);
}

}  // namespace

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
