#include "ptql/engine/answers.h"

#include <algorithm>
#include <utility>

namespace copse::ptql {
namespace {

// Returns true if the projection identifies each record of a tuple, by a stamp or an object's number.
bool tells_records(const Query& query) {
  IdentifierSet told = query.negatives();
  for (const SelectedItem& item : query.selected) {
    if (item.count) continue;
    const bool is_object =
        query.identifiers[item.field.identifier].relation == Relation::kObjectAllocation;
    if (item.field.field == Field::kStartTime || item.field.field == Field::kEndTime ||
        (is_object && item.field.field == Field::kReceiver)) {
      told |= set_of(item.field.identifier);
    }
  }
  return (query.positives() & ~told) == 0;
}

std::size_t row_bytes(const std::vector<Value>& row) {
  constexpr std::size_t kNode = 96;  // of the table and the list
  std::size_t bytes = kNode + row.size() * sizeof(Value);
  for (const Value& value : row) bytes += value.heap_bytes();
  return bytes;
}

}  // namespace

Answers::Answers(const Query& query, AnswerSink sink)
    : query_(query),
      sink_(std::move(sink)),
      waits_(query.sums_up()),
      distinct_(tells_records(query)) {}

std::size_t Answers::RowHash::operator()(const std::vector<Value>& row) const noexcept {
  std::size_t hash = row.size();
  for (const Value& value : row) {
    hash = hash * 31 + (value.present() ? KeyHash()(value) : 0);
  }
  return hash;
}

bool Answers::RowEqual::operator()(const std::vector<Value>& left,
                                   const std::vector<Value>& right) const noexcept {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(), identical);
}

void Answers::add(std::vector<Value> values, const AnswerEvent& event,
                  std::vector<Value> contexts) {
  if (done()) return;
  if (!waits_ && distinct_) {
    give(std::move(values), event, std::move(contexts));
    return;
  }
  const auto [row, is_new] = rows_.try_emplace(std::move(values), 0);
  ++row->second;
  if (!is_new) return;
  bytes_ += row_bytes(row->first);
  by_age_.push_back(&row->first);
  if (!waits_) give(row->first, event, std::move(contexts));
}

void Answers::give(std::vector<Value> values, const AnswerEvent& event,
                   std::vector<Value> contexts) {
  ++given_;
  sink_({std::move(values), event, std::move(contexts)});
}

bool Answers::done() const noexcept { return !waits_ && query_.limit && given_ >= *query_.limit; }

bool Answers::forget_oldest() {
  if (by_age_.empty()) return false;
  const auto row = rows_.find(*by_age_.front());
  by_age_.pop_front();
  bytes_ -= row_bytes(row->first);
  rows_.erase(row);
  ++forgotten_;
  return true;
}

bool Answers::before(const std::vector<Value>& left, const std::vector<Value>& right) const {
  for (const OrderItem& item : query_.ordered_by) {
    const Value& a = left[item.selected];
    const Value& b = right[item.selected];
    if (sorts_before(a, b)) return !item.descending;
    if (sorts_before(b, a)) return item.descending;
  }
  return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end(),
                                      sorts_before);
}

void Answers::finish(const AnswerEvent& event) {
  if (!waits_) return;
  // A count of nothing is an answer, too, unless there are groups.
  if (rows_.empty() && query_.counts() && query_.grouped_by.empty()) {
    rows_.try_emplace(std::vector<Value>(query_.selected.size()), 0);
  }
  std::vector<std::vector<Value>> sorted;
  for (const auto& [row, tuples] : rows_) {
    if (query_.having && !holds(Value::integer(tuples), query_.having->comparison,
                                Value::integer(query_.having->number))) {
      continue;
    }
    std::vector<Value> values = row;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (query_.selected[i].count) values[i] = Value::integer(tuples);
    }
    sorted.push_back(std::move(values));
  }
  std::sort(sorted.begin(), sorted.end(),
            [this](const auto& left, const auto& right) { return before(left, right); });
  for (std::vector<Value>& values : sorted) {
    if (query_.limit && given_ >= *query_.limit) break;
    give(std::move(values), event, {});
  }
  by_age_.clear();
  rows_.clear();
  bytes_ = 0;
}

}  // namespace copse::ptql
