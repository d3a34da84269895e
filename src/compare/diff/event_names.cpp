#include "compare/diff/event_names.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/normal_names.h"
#include "report/model/event_objects.h"

namespace copse::diff {
namespace {

using report::ReportModel;

// Returns the place of a line's colon in "p.C.m:8"; the length if there is no line.
std::size_t line_at(std::string_view place) {
  const std::size_t colon = place.rfind(':');
  const bool has_line = colon != place.npos && colon + 1 < place.size() &&
                        place.find_first_not_of("0123456789", colon + 1) == place.npos;
  return has_line ? colon : place.size();
}

std::string renamed(const report::EventObject& event, const NameNow& now, bool has_line) {
  std::string name(report::word_of(event.kind));
  name += ' ' + now(event.class_name, "");
  if (event.place.empty()) return name;
  const std::string_view method = event.place.substr(0, line_at(event.place));
  const std::size_t dot = method.rfind('.');
  name += " at " + (dot == method.npos ? std::string(method)
                                       : now(method.substr(0, dot), method.substr(dot + 1)));
  return has_line ? name + std::string(event.place.substr(method.size())) : name;
}

}  // namespace

void rename_events(ReportModel::Methods& methods, const NameNow& now) {
  for (std::size_t row = 0; row < methods.name.size(); ++row) {
    if (const auto event = report::event_object_of(methods, row)) {
      methods.name[row] = renamed(*event, now, true);
    }
  }
}

void name_events_alike(ReportModel::Methods& old_methods, ReportModel::Methods& new_methods,
                       const identity::IdRules& rules) {
  const bool is_exact = rules.names == identity::Names::kExact;
  const auto normal = [&](std::string_view class_name, std::string_view method) {
    const std::string of_class = is_exact ? std::string(class_name) : normal_class(class_name);
    if (method.empty()) return of_class;
    return of_class + '.' + (is_exact ? std::string(method) : normal_method(method));
  };
  struct Names {
    std::set<std::string> all;
    std::vector<std::string*> places;
  };
  std::map<std::string, Names> alike;
  for (ReportModel::Methods* methods : {&old_methods, &new_methods}) {
    for (std::size_t row = 0; row < methods->name.size(); ++row) {
      const auto event = report::event_object_of(*methods, row);
      if (!event) continue;
      Names& names = alike[renamed(*event, normal, rules.sites != identity::Sites::kNone)];
      names.all.insert(methods->name[row]);
      names.places.push_back(&methods->name[row]);
    }
  }
  for (const auto& [name, names] : alike) {
    if (names.all.size() == 1) continue;
    for (std::string* const place : names.places) *place = name;
  }
}

void name_threads_alike(ReportModel::Methods& old_methods, ReportModel::Methods& new_methods) {
  struct Names {
    std::array<std::set<std::string>, 2> of_reports;
    std::vector<std::string*> places;
  };
  std::map<std::string, Names> groups;
  ReportModel::Methods* const reports[] = {&old_methods, &new_methods};
  for (std::size_t side = 0; side < 2; ++side) {
    ReportModel::Methods& methods = *reports[side];
    for (std::size_t row = 0; row < methods.name.size(); ++row) {
      std::string& name = methods.name[row];
      const bool is_thread = methods.class_name[row].empty() && methods.descriptor[row].empty() &&
                             name.starts_with('[') && name.ends_with(']');
      if (!is_thread) continue;
      Names& names = groups[thread_group(name)];
      names.of_reports[side].insert(name);
      names.places.push_back(&name);
    }
  }
  for (const auto& [group, names] : groups) {
    const auto& [olds, news] = names.of_reports;
    const auto is_in_new = [&](const std::string& name) { return news.contains(name); };
    if (olds.empty() || news.empty() || std::ranges::any_of(olds, is_in_new)) continue;
    for (std::string* const place : names.places) *place = group;
  }
}

}  // namespace copse::diff
