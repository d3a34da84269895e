#include "compare/diff/moved_events.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "report/model/event_objects.h"
#include "report/model/row.h"

namespace copse::diff {
namespace {

using report::at;
using report::ReportModel;

// Rows of events that differ in their line alone, by line.
struct Group {
  std::map<std::int64_t, std::size_t> olds, news;
};

class EventAdoption {
 public:
  EventAdoption(ReportModel& old_report, const ReportModel& new_report,
                const std::vector<std::int32_t>& old_ids, const std::vector<std::int32_t>& new_ids)
      : old_(old_report.methods), new_(new_report.methods) {
    for (std::size_t row = 0; row < new_.name.size(); ++row) {
      if (new_.descriptor[row].empty()) {
        names_.insert(new_.name[row]);
        continue;
      }
      row_of_.try_emplace(new_ids[row], row);
      note_number(1, new_.class_name[row] + '.' + new_.name[row], new_ids[row]);
    }
    for (std::size_t row = 0; row < old_.name.size(); ++row) {
      const auto same = row_of_.find(old_ids[row]);
      if (old_.descriptor[row].empty() || same == row_of_.end()) continue;
      note_number(0, old_.class_name[row] + '.' + old_.name[row], old_ids[row]);
      class_now_.try_emplace(old_.class_name[row], new_.class_name[same->second]);
    }
  }

  void adopt() {
    std::map<std::string, Group> groups;
    std::set<std::string_view> old_names;
    for (std::size_t row = 0; row < old_.name.size(); ++row) {
      if (old_.descriptor[row].empty()) old_names.insert(old_.name[row]);
    }
    const auto add = [&](const ReportModel::Methods& methods, std::size_t row, std::size_t side) {
      const auto object = report::event_object_of(methods, row);
      if (!object || (side == 0 ? names_.contains(methods.name[row])
                                : old_names.contains(methods.name[row]))) {
        return;
      }
      const auto [place, line] = split(object->place);
      const std::string key =
          std::string(object->kind) + ' ' +
          (side == 0 ? in_new(object->class_name) : std::string(object->class_name)) + ' ' +
          method_in(side, place);
      Group& group = groups[key];
      (side == 0 ? group.olds : group.news).try_emplace(line, row);
    };
    for (std::size_t row = 0; row < old_.name.size(); ++row) add(old_, row, 0);
    for (std::size_t row = 0; row < new_.name.size(); ++row) add(new_, row, 1);
    std::vector<std::pair<std::size_t, std::size_t>> pairs;  // rows
    for (auto& [key, group] : groups) pair(group, pairs);
    for (const auto& [before, now] : pairs) old_.name[before] = new_.name[now];
  }

 private:
  // Methods of one name have the least of their numbers: a place has no descriptor.
  void note_number(std::size_t side, std::string name, std::int32_t number) {
    std::int32_t& least = method_now_[side].try_emplace(std::move(name), number).first->second;
    least = std::min(least, number);
  }

  // Method and line; -1 means unknown.
  static std::pair<std::string_view, std::int64_t> split(std::string_view place) {
    const std::size_t colon = place.rfind(':');
    std::int64_t line = -1;
    if (colon == place.npos) return {place, line};
    const char* const end = place.data() + place.size();
    const auto read = std::from_chars(place.data() + colon + 1, end, line);
    if (read.ec != std::errc() || read.ptr != end) return {place, -1};
    return {place.substr(0, colon), line};
  }

  std::string in_new(std::string_view class_name) const {
    const auto now = class_now_.find(std::string(class_name));
    return now == class_now_.end() ? std::string(class_name) : now->second;
  }

  // Number of a method that was called; else its name in NEW, as far as its class is known.
  std::string method_in(std::size_t side, std::string_view name) const {
    const auto number = method_now_[side].find(std::string(name));
    if (number != method_now_[side].end()) return std::to_string(number->second);
    const std::size_t dot = name.rfind('.');
    if (side == 1 || dot == name.npos) return std::string(name);
    return in_new(name.substr(0, dot)) + std::string(name.substr(dot));
  }

  static void pair(Group& group, std::vector<std::pair<std::size_t, std::size_t>>& pairs) {
    std::erase_if(group.olds, [&](const auto& event) {
      const auto same = group.news.find(event.first);
      if (same == group.news.end()) return false;
      pairs.emplace_back(event.second, same->second);
      group.news.erase(same);
      return true;
    });
    if (group.olds.size() != group.news.size()) return;
    auto now = group.news.begin();
    for (const auto& [line, row] : group.olds) pairs.emplace_back(row, now++->second);
  }

  ReportModel::Methods& old_;
  const ReportModel::Methods& new_;
  std::set<std::string_view> names_;                      // of rows without a descriptor, in NEW
  std::unordered_map<std::int32_t, std::size_t> row_of_;  // in NEW, by number
  std::unordered_map<std::string, std::int32_t> method_now_[2];  // number by name, by report
  std::unordered_map<std::string, std::string> class_now_;       // NEW's name by OLD's
};

}  // namespace

void adopt_events(ReportModel& old_report, const ReportModel& new_report,
                  const std::vector<std::int32_t>& old_ids,
                  const std::vector<std::int32_t>& new_ids) {
  EventAdoption(old_report, new_report, old_ids, new_ids).adopt();
}

}  // namespace copse::diff
