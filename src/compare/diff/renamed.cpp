#include "compare/diff/renamed.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/normal_names.h"
#include "base/printable.h"
#include "compare/diff/moved_events.h"
#include "compare/identity/method_key.h"
#include "report/model/row.h"
#include "report/text/display_names.h"

namespace copse::diff {
namespace {

using identity::MethodKey;
using report::at;
using report::ReportModel;

using Id = std::int32_t;  // of a method, in both reports
using Ids = std::set<Id>;
constexpr Id kNoMethod = -1;  // calls a thread's first method
constexpr Id kItself = -2;

// Methods by key, with callers and callees of methods in one report only.
class CallsOfMethods {
 public:
  CallsOfMethods(const ReportModel& old_report, const ReportModel& new_report,
                 identity::Names rule) {
    const ReportModel* const reports[] = {&old_report, &new_report};
    for (std::size_t side = 0; side < 2; ++side) {
      const ReportModel::Methods& methods = reports[side]->methods;
      for (std::size_t row = 0; row < methods.name.size(); ++row) {
        MethodKey key = identity::method_key(methods, row, rule);
        const auto [found, is_new] = ids_.try_emplace(key, static_cast<Id>(keys_.size()));
        if (is_new) keys_.push_back(std::move(key));
        id_of_[side].push_back(found->second);
      }
    }
    for (auto& called : called_) called.assign(keys_.size(), false);
    for (std::size_t side = 0; side < 2; ++side) {
      for (const std::int32_t row : reports[side]->nodes.method) {
        if (row >= 0) called_[side][at(id_of_[side][at(row)])] = true;
      }
    }
    callers_.resize(keys_.size());
    callees_.resize(keys_.size());
    for (std::size_t side = 0; side < 2; ++side) note_calls(*reports[side], side);
  }

  Id count() const { return static_cast<Id>(keys_.size()); }
  const MethodKey& key(Id id) const { return keys_[at(id)]; }
  const std::vector<Id>& id_of(std::size_t side) const { return id_of_[side]; }
  // Returns true for a real method called in one report only. Other rows, such as events, have no descriptor.
  bool is_in_one(Id id, std::size_t side) const {
    return called_[side][at(id)] && !called_[1 - side][at(id)] && !key(id).descriptor.empty();
  }
  bool is_called(Id id, std::size_t side) const { return called_[side][at(id)]; }
  const Ids& callers(Id id) const { return callers_[at(id)]; }
  const Ids& callees(Id id) const { return callees_[at(id)]; }

 private:
  void note_calls(const ReportModel& report, std::size_t side) {
    std::vector<bool> is_odd(keys_.size());
    bool any = false;
    for (Id id = 0; id < count(); ++id) {
      is_odd[at(id)] = is_in_one(id, side);
      any = any || is_odd[at(id)];
    }
    if (!any) return;
    const ReportModel::Nodes& nodes = report.nodes;
    for (std::size_t node = 1; node < nodes.method.size(); ++node) {
      const Id callee = id_of_[side][at(nodes.method[node])];
      const std::int32_t up = nodes.method[at(nodes.parent[node])];
      const Id caller = up < 0 ? kNoMethod : id_of_[side][at(up)];
      if (is_odd[at(callee)]) callers_[at(callee)].insert(caller == callee ? kItself : caller);
      // The names of events have names of methods in them, which may be other ones.
      if (caller >= 0 && is_odd[at(caller)] && !key(callee).descriptor.empty()) {
        callees_[at(caller)].insert(caller == callee ? kItself : callee);
      }
    }
  }

  std::map<MethodKey, Id> ids_;
  std::vector<MethodKey> keys_;
  std::vector<Id> id_of_[2];            // by report, by row of its methods
  std::vector<bool> called_[2];         // by report, by id
  std::vector<Ids> callers_, callees_;  // by id, of methods in one report only
};

std::string package_of(const std::string& class_name) {
  const std::size_t dot = class_name.rfind('.');
  return dot == class_name.npos ? "" : class_name.substr(0, dot);
}
std::string simple_name(const std::string& class_name) {
  return class_name.substr(class_name.rfind('.') + 1);
}

// Replaces the class itself by a star.
std::string signature(const MethodKey& key) {
  std::string own = "L" + key.class_name + ";";
  std::replace(own.begin(), own.end(), '.', '/');
  std::string descriptor = key.descriptor;
  for (std::size_t found = descriptor.find(own); found != descriptor.npos;
       found = descriptor.find(own, found)) {
    descriptor.replace(found, own.size(), "L*;");
  }
  return key.name + descriptor;
}

// Returns true for a class known by number only.
bool is_by_number(const MethodKey& key) {
  return key.class_name.starts_with(NumberedClasses::kByNumber) ||
         numberless_class(key.class_name) != normal_class(key.class_name);
}
bool is_numbered(const MethodKey& key) {
  return key.class_name.starts_with(NumberedClasses::kKnown) || is_by_number(key);
}

class RenamedMethods {
 public:
  explicit RenamedMethods(const CallsOfMethods& calls) : calls_(calls) {
    for (Id id = 0; id < calls.count(); ++id) {
      now_.push_back(id);
      if (is_by_number(calls.key(id))) continue;
      if (calls.is_in_one(id, 0)) gone_.insert(id);
      if (calls.is_in_one(id, 1)) added_.insert(id);
    }
  }

  // NEW's name by OLD's.
  const std::map<std::string, std::string>& class_now() const { return class_now_; }

  // NEW's id by OLD's.
  const std::vector<Id>& find() {
    if (gone_.empty() || added_.empty()) return now_;
    pair_classes();
    pair_unique([](Id, const MethodKey& key) { return key.class_name + ' ' + key.name; });
    // A constructor is called as one.
    const auto by_class = [](Id, const MethodKey& key) {
      return key.class_name + ' ' + key.descriptor + (key.name[0] == '<' ? key.name : "");
    };
    const auto by_name = [](Id, const MethodKey& key) {
      return key.name + ' ' + key.descriptor + (is_numbered(key) ? key.class_name : "");
    };
    std::size_t before = 0;
    do {
      before = gone_.size();
      pair_by_calls(by_class);
      pair_by_calls(by_name);
    } while (gone_.size() < before && !added_.empty());
    return now_;
  }

 private:
  struct Class {
    std::map<std::string, Id> methods;  // by signature
    bool is_only_there = true;
  };
  using Classes = std::map<std::string, Class>;

  Classes classes_of(std::size_t side) const {
    Classes classes;
    for (Id id = 0; id < calls_.count(); ++id) {
      const MethodKey& key = calls_.key(id);
      if (key.descriptor.empty()) continue;
      if (calls_.is_called(id, side)) {
        classes[key.class_name].methods.emplace(signature(key), id);
      }
    }
    for (Id id = 0; id < calls_.count(); ++id) {
      const auto known = classes.find(calls_.key(id).class_name);
      if (known != classes.end() && calls_.is_called(id, 1 - side)) {
        known->second.is_only_there = false;
      }
    }
    std::erase_if(classes, [](const auto& item) { return !item.second.is_only_there; });
    return classes;
  }

  static std::size_t in_common(const Class& a, const Class& b) {
    return static_cast<std::size_t>(
        std::count_if(a.methods.begin(), a.methods.end(),
                      [&](const auto& method) { return b.methods.contains(method.first); }));
  }

  static bool are_alike(const std::string& a_name, const Class& a, const std::string& b_name,
                        const Class& b) {
    const std::size_t common = in_common(a, b);
    const std::size_t most = std::max(a.methods.size(), b.methods.size());
    if (simple_name(a_name) == simple_name(b_name)) return common * 2 >= most && common > 0;
    if (is_numbered({a_name, "", ""}) || is_numbered({b_name, "", ""})) return false;
    return common == most && common >= 2 && package_of(a_name) == package_of(b_name);
  }

  // Classes that can be alike have one of these in common.
  static std::vector<std::string> marks_of(const std::string& name, const Class& of) {
    if (is_numbered({name, "", ""})) return {"named " + simple_name(name)};
    std::string all = "methods of " + package_of(name);
    for (const auto& method : of.methods) all += ' ' + method.first;
    return {"named " + simple_name(name), std::move(all)};
  }

  void pair_classes() {
    const Classes gone = classes_of(0), added = classes_of(1);
    std::map<std::string, std::vector<std::string>> marked;
    for (const auto& [name, of] : added) {
      for (const std::string& mark : marks_of(name, of)) marked[mark].push_back(name);
    }
    std::map<std::string, std::set<std::string>> to, from;
    for (const auto& [a_name, a] : gone) {
      for (const std::string& mark : marks_of(a_name, a)) {
        for (const std::string& b_name : marked[mark]) {
          if (!are_alike(a_name, a, b_name, added.at(b_name))) continue;
          to[a_name].insert(b_name);
          from[b_name].insert(a_name);
        }
      }
    }
    for (const auto& [a_name, names] : to) {
      const std::string& b_name = *names.begin();
      if (names.size() != 1 || from[b_name].size() != 1) continue;
      class_now_[a_name] = b_name;
      const Class& b = added.at(b_name);
      for (const auto& [signature, id] : gone.at(a_name).methods) {
        const auto same = b.methods.find(signature);
        if (same != b.methods.end()) pair(id, same->second);
      }
    }
  }

  void pair(Id gone, Id added) {
    now_[at(gone)] = added;
    gone_.erase(gone);
    added_.erase(added);
  }

  // Pairs methods with a text that one method of each report has.
  template <typename Text>
  void pair_unique(Text text) {
    for (const auto& [gone, added] : with_one_text(text)) {
      if (gone.size() == 1 && added.size() == 1) pair(gone.front(), added.front());
    }
  }

  // Also compares the calls they make.
  template <typename Text>
  void pair_by_calls(Text text) {
    const auto with_calls = [&](Id id, const MethodKey& key) {
      std::string words = text(id, key) + " calls";
      const bool calls_none = calls_.callees(id).empty();
      for (const Id other : in_new(calls_none ? calls_.callers(id) : calls_.callees(id))) {
        words += ' ' + std::to_string(other);
      }
      return words + (calls_none ? " nothing" : "");
    };
    for (const auto& [gone, added] : with_one_text(with_calls)) {
      std::map<Id, std::vector<Id>> to, from;
      for (const Id a : gone) {
        for (const Id b : added) {
          if (!have_a_caller_in_common(a, b)) continue;
          to[a].push_back(b);
          from[b].push_back(a);
        }
      }
      for (const auto& [a, fits] : to) {
        if (fits.size() == 1 && from[fits.front()].size() == 1) pair(a, fits.front());
      }
    }
  }

  template <typename Text>
  std::vector<std::pair<std::vector<Id>, std::vector<Id>>> with_one_text(Text text) const {
    std::map<std::string, std::vector<Id>> gone, added;
    for (const Id id : gone_) gone[text(id, in_new_class(calls_.key(id)))].push_back(id);
    for (const Id id : added_) added[text(id, calls_.key(id))].push_back(id);
    std::vector<std::pair<std::vector<Id>, std::vector<Id>>> both;
    for (const auto& [words, ids] : gone) {
      const auto same = added.find(words);
      if (same != added.end()) both.emplace_back(ids, same->second);
    }
    return both;
  }

  MethodKey in_new_class(MethodKey key) const {
    const auto renamed = class_now_.find(key.class_name);
    if (renamed != class_now_.end()) key.class_name = renamed->second;
    return key;
  }

  // Those of NEW are their own.
  Ids in_new(const Ids& ids) const {
    Ids now;
    for (const Id id : ids) now.insert(id < 0 ? id : now_[at(id)]);
    return now;
  }

  bool have_a_caller_in_common(Id gone, Id added) const {
    const Ids callers = in_new(calls_.callers(gone));
    return std::any_of(callers.begin(), callers.end(),
                       [&](Id id) { return calls_.callers(added).contains(id); });
  }

  const CallsOfMethods& calls_;
  std::vector<Id> now_;
  Ids gone_, added_;
  std::map<std::string, std::string> class_now_;
};

}  // namespace

std::vector<Renamed> adopt_names(ReportModel& old_report, const ReportModel& new_report,
                                 identity::Names rule, bool find_renamed,
                                 NumberedClasses* numbered) {
  std::optional<CallsOfMethods> calls;
  std::vector<Id> now;
  bool is_again = false;
  do {
    calls.emplace(old_report, new_report, rule);
    now.clear();
    for (Id id = 0; id < calls->count(); ++id) now.push_back(id);
    if (!find_renamed) break;
    RenamedMethods renamed_methods(*calls);
    now = renamed_methods.find();
    is_again =
        numbered != nullptr && !is_again && numbered->pair_in_renamed(renamed_methods.class_now());
  } while (is_again);
  std::vector<std::optional<std::size_t>> row_of(static_cast<std::size_t>(calls->count()));
  for (std::size_t row = new_report.methods.name.size(); row-- > 0;) {
    row_of[at(calls->id_of(1)[row])] = row;
  }
  if (find_renamed) {
    std::vector<Id> old_ids;
    for (const Id id : calls->id_of(0)) old_ids.push_back(now[at(id)]);
    adopt_events(old_report, new_report, old_ids, calls->id_of(1));
  }
  const report::DisplayNames old_names(old_report.methods), new_names(new_report.methods);
  std::vector<Renamed> renamed;
  for (std::size_t row = 0; row < old_report.methods.name.size(); ++row) {
    const Id id = calls->id_of(0)[row];
    const std::optional<std::size_t> same = row_of[at(now[at(id)])];
    if (same && now[at(id)] != id) {
      renamed.push_back({old_names.method(static_cast<std::int32_t>(row)),
                         new_names.method(static_cast<std::int32_t>(*same))});
    }
  }
  if (numbered != nullptr) {
    for (const Renumbered& other : numbered->adopt_names()) {
      renamed.push_back({printable(other.from), printable(other.to), other.may_be_another});
    }
  }
  ReportModel::Methods& to = old_report.methods;
  const ReportModel::Methods& from = new_report.methods;
  for (std::size_t row = 0; row < to.name.size(); ++row) {
    const std::optional<std::size_t> same = row_of[at(now[at(calls->id_of(0)[row])])];
    if (!same) continue;
    to.class_name[row] = from.class_name[*same];
    to.name[row] = from.name[*same];
    to.descriptor[row] = from.descriptor[*same];
    to.source[row] = from.source[*same];
    to.loader[row] = from.loader[*same];
    to.stable_class[row] = from.stable_class[*same];
  }
  return renamed;
}

}  // namespace copse::diff
