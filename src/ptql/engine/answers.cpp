#include "ptql/engine/answers.h"

#include <algorithm>
#include <utility>

#include "base/grouped.h"

namespace copse::ptql {
namespace {

// Returns true if the projection identifies each record of a tuple, by a stamp or an object's number.
bool tells_records(const Query& query) {
  IdentifierSet told = query.negatives();
  for (const SelectedItem& item : query.selected) {
    if (!item.has_field()) continue;
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
      distinct_(tells_records(query)) {
  for (std::size_t i = 0; i < query.selected.size(); ++i) {
    const SelectedItem& item = query.selected[i];
    if (item.has_field() && item.aggregate != Aggregate::kNone) combined_.push_back(i);
  }
  left_out_.resize(combined_.size());
}

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
  std::vector<Value> combined;
  for (const std::size_t i : combined_) combined.push_back(std::exchange(values[i], Value()));
  const auto [row, is_new] = rows_.try_emplace(std::move(values));
  ++row->second.tuples;
  if (!is_new && combined_.empty()) return;
  if (!is_new) bytes_ -= bytes_of(*row);
  combine(row->second, combined);
  bytes_ += bytes_of(*row);
  if (!is_new) return;
  by_age_.push_back(&row->first);
  if (!waits_) give(row->first, event, std::move(contexts));
}

void Answers::combine(Group& group, const std::vector<Value>& values) {
  group.combined.resize(combined_.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Aggregate aggregate = query_.selected[combined_[i]].aggregate;
    if (!group.combined[i].add(aggregate, values[i])) ++left_out_[i];
  }
}

std::vector<std::string> Answers::left_out() const {
  std::vector<std::string> sentences;
  for (std::size_t i = 0; i < combined_.size(); ++i) {
    if (left_out_[i] == 0) continue;
    sentences.push_back(query_.heading(query_.selected[combined_[i]]) + " left out " +
                        counted(left_out_[i], "value") + " that " +
                        (left_out_[i] == 1 ? "is no number" : "are no numbers"));
  }
  return sentences;
}

std::size_t Answers::bytes_of(const Rows::value_type& row) const {
  std::size_t bytes = row_bytes(row.first) + row.second.combined.size() * sizeof(CombinedValues);
  for (const CombinedValues& combined : row.second.combined) bytes += combined.heap_bytes();
  return bytes;
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
  bytes_ -= bytes_of(*row);
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

bool Answers::is_wanted(const Group& group, const std::vector<Value>& values) const {
  if (!query_.having) return true;
  const auto& [selected, comparison, number] = *query_.having;
  return holds(selected ? values[*selected] : Value::integer(group.tuples), comparison, number);
}

void Answers::finish(const AnswerEvent& event) {
  if (!waits_) return;
  // A count of nothing is an answer, too, unless there are groups.
  if (rows_.empty() && query_.aggregates() && query_.grouped_by.empty()) {
    combine(rows_[std::vector<Value>(query_.selected.size())], {});
  }
  std::vector<std::vector<Value>> sorted;
  for (const auto& [row, group] : rows_) {
    std::vector<Value> values = row;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!query_.selected[i].has_field()) values[i] = Value::integer(group.tuples);
    }
    for (std::size_t i = 0; i < combined_.size(); ++i) {
      const Aggregate aggregate = query_.selected[combined_[i]].aggregate;
      values[combined_[i]] = group.combined[i].result(aggregate);
    }
    if (is_wanted(group, values)) sorted.push_back(std::move(values));
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
