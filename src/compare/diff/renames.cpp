#include "compare/diff/renames.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/glob.h"
#include "base/normal_names.h"
#include "base/printable.h"
#include "base/shell_word.h"
#include "compare/diff/event_names.h"
#include "report/model/display_names.h"
#include "report/part/method_choice.h"

namespace copse::diff {
namespace {

using report::ReportModel;
using Rename = Renames::Rename;

struct Name {
  std::size_t by;  // index of the value
  std::string class_name, method;
};

// Stands for any method of a class.
constexpr std::string_view kAnyMethod = ".\x01";

class NamesNow {
 public:
  explicit NamesNow(const std::vector<Rename>& renames) : renames_(renames) {}

  std::optional<Name> of_method(std::string_view class_name, std::string_view method) {
    if (std::optional<Name> named = by_its_name(class_name, method)) return named;
    if (std::optional<Name> of_lambda = by_method_of_lambda(class_name, method)) return of_lambda;
    std::optional<Name> of_its_class = of_class(class_name);
    if (of_its_class) of_its_class->method = method;
    return of_its_class;
  }

  const std::optional<Name>& of_class(std::string_view class_name) {
    const auto [found, is_new] = classes_.try_emplace(std::string(class_name));
    if (is_new) found->second = class_now(class_name);
    return found->second;
  }

  std::string descriptor(std::string_view descriptor) {
    std::string now;
    while (true) {
      const std::size_t begin = descriptor.find('L'), end = descriptor.find(';', begin);
      if (end == descriptor.npos) return now += descriptor;
      std::string dotted(descriptor.substr(begin + 1, end - begin - 1));
      std::ranges::replace(dotted, '/', '.');
      if (const std::optional<Name>& name = of_class(dotted)) dotted = name->class_name;
      std::ranges::replace(dotted, '.', '/');
      now += std::string(descriptor.substr(0, begin + 1)) + dotted + ';';
      descriptor.remove_prefix(end + 1);
    }
  }

  // p.Outer$*~main~0123456789ab: the class around it, the method around it, and its code.
  std::string stable_class(const std::string& stable) {
    const std::size_t code = stable.rfind('~'), around = stable.rfind('~', code - 1);
    const std::size_t star = stable.find('*');
    if (code == stable.npos || around == stable.npos || star >= around) return stable;
    const std::string outer =
        stable.substr(0, stable.find_last_not_of('$', star - 1) + 1);  // npos + 1 is 0
    const std::optional<Name> now =
        of_method(outer, std::string_view(stable).substr(around + 1, code - around - 1));
    if (!now) return stable;
    return now->class_name + stable.substr(outer.size(), around + 1 - outer.size()) + now->method +
           stable.substr(code);
  }

 private:
  std::optional<Name> by_its_name(std::string_view class_name, std::string_view method) const {
    const std::string full = std::string(class_name) + '.' + std::string(method);
    for (std::size_t i = 0; i < renames_.size(); ++i) {
      const auto now = glob_renamed(renames_[i].from, renames_[i].to, class_name, full);
      if (!now || now->find('.') == now->npos) continue;
      const std::size_t dot = now->rfind('.');
      return Name{i, now->substr(0, dot), now->substr(dot + 1)};
    }
    return std::nullopt;
  }

  // lambda$find$3 is in find.
  std::optional<Name> by_method_of_lambda(std::string_view class_name,
                                          std::string_view method) const {
    constexpr std::string_view kLambda = "lambda$";
    const std::size_t end = method.rfind('$');
    if (!method.starts_with(kLambda) || end <= kLambda.size()) return std::nullopt;
    std::optional<Name> now =
        by_its_name(class_name, method.substr(kLambda.size(), end - kLambda.size()));
    if (now) now->method = std::string(kLambda) + now->method + std::string(method.substr(end));
    return now;
  }

  std::optional<Name> class_now(std::string_view class_name) {
    const std::string any = std::string(class_name) + std::string(kAnyMethod);
    for (std::size_t i = 0; i < renames_.size(); ++i) {
      const auto& [from, to] = renames_[i];
      if (const auto now = glob_renamed(from, to, class_name, class_name)) return Name{i, *now, ""};
      const auto now = glob_renamed(from, to, class_name, any);
      if (now && now->ends_with(kAnyMethod)) {
        return Name{i, now->substr(0, now->size() - kAnyMethod.size()), ""};
      }
    }
    const std::size_t nested = class_name.rfind('$');
    if (nested == class_name.npos || nested == 0) return std::nullopt;
    std::optional<Name> now = of_class(class_name.substr(0, nested));
    if (now) now->class_name += class_name.substr(nested);
    return now;
  }

  const std::vector<Rename>& renames_;
  std::unordered_map<std::string, std::optional<Name>> classes_;
};

// A class that the person gave another number is known by that number alone.
bool is_renumbered(const std::string& before, const std::string& now) {
  return before.substr(before.find('$') + 1) != now.substr(now.find('$') + 1) &&
         numberless_class(before).substr(before.find('$') + 1) ==
             numberless_class(now).substr(now.find('$') + 1);
}

Status names_nothing(const std::string& option, const std::string& glob,
                     const ReportModel::Methods& methods, const std::string& report) {
  std::vector<bool> rows;
  for (const std::string& class_name : methods.class_name) rows.push_back(!class_name.empty());
  const GlobGuess guess = report::guess_methods(methods, rows, glob);
  return Status::error(Fault::kNotFound, option + ": " + printable(glob) + " names nothing in " +
                                             printable(report) + guess.hint(printable));
}

using MethodName = std::pair<std::string, std::string>;  // class and name

}  // namespace

std::string Renames::Rename::in_words() const { return "--renamed " + shell_word(from + '=' + to); }

Result<Renames> Renames::parse(const std::vector<std::string>& values) {
  Renames renames;
  for (const std::string& value : values) {
    const std::size_t equals = value.find('=');
    Rename rename{value.substr(0, equals), equals == value.npos ? "" : value.substr(equals + 1)};
    const auto wrong = [&](const char* why) {
      return Status::error(Fault::kUsage, "--renamed " + shell_word(value) + ": " + why);
    };
    if (rename.from.empty() || rename.to.empty()) {
      return wrong("write OLD=NEW, two names or globs such as com.acme.Dao.find=com.acme.Dao.load");
    }
    if (!have_same_stars(rename.from, rename.to)) {
      return wrong("NEW needs the stars of OLD, * or **, in the same order");
    }
    renames.renames_.push_back(std::move(rename));
  }
  return renames;
}

Result<std::vector<Renamed>> Renames::apply(ReportModel& old_report, const std::string& old_name,
                                            const ReportModel& new_report,
                                            const std::string& new_name) const {
  std::vector<Renamed> renamed;
  if (renames_.empty()) return renamed;
  NamesNow names(renames_);
  ReportModel::Methods& methods = old_report.methods;
  std::map<MethodName, std::vector<std::string>> descriptors;  // in NEW
  for (std::size_t row = 0; row < new_report.methods.name.size(); ++row) {
    descriptors[{new_report.methods.class_name[row], new_report.methods.name[row]}].push_back(
        new_report.methods.descriptor[row]);
  }
  std::vector<bool> is_in_old(renames_.size()), is_in_new(renames_.size());
  std::map<MethodName, std::vector<std::size_t>> rows;  // of OLD, by the name in NEW
  std::set<std::pair<std::string, std::string>> listed;
  for (std::size_t row = 0; row < methods.name.size(); ++row) {
    if (methods.class_name[row].empty()) continue;
    std::string &class_name = methods.class_name[row], &name = methods.name[row];
    std::string& stable = methods.stable_class[row];
    methods.descriptor[row] = names.descriptor(methods.descriptor[row]);
    const std::optional<Name> now = names.of_method(class_name, name);
    stable = now && is_renumbered(class_name, now->class_name) ? "" : names.stable_class(stable);
    if (!now) continue;
    const bool is_there = descriptors.contains({now->class_name, now->method});
    is_in_old[now->by] = true;
    is_in_new[now->by] = is_in_new[now->by] || is_there;
    const std::string from = report::display_name(class_name, name);
    const std::string to = report::display_name(now->class_name, now->method);
    if (is_there && from != to && listed.emplace(from, to).second)
      renamed.push_back({printable(from), printable(to)});
    class_name = now->class_name;
    name = now->method;
    rows[{class_name, name}].push_back(row);
  }
  for (std::size_t i = 0; i < renames_.size(); ++i) {
    if (is_in_old[i] && is_in_new[i]) continue;
    return names_nothing(renames_[i].in_words(), is_in_old[i] ? renames_[i].to : renames_[i].from,
                         is_in_old[i] ? new_report.methods : methods,
                         is_in_old[i] ? new_name : old_name);
  }
  for (const auto& [name, of_old] : rows) {
    const auto of_new = descriptors.find(name);
    if (of_new == descriptors.end() || of_new->second.size() != 1 || of_old.size() != 1) continue;
    methods.descriptor[of_old.front()] = of_new->second.front();
  }
  rename_events(methods, [&](std::string_view class_name, std::string_view method) {
    const std::optional<Name> now =
        method.empty() ? names.of_class(class_name) : names.of_method(class_name, method);
    const std::string of_class = now ? now->class_name : std::string(class_name);
    return method.empty() ? of_class : of_class + '.' + (now ? now->method : std::string(method));
  });
  return renamed;
}

}  // namespace copse::diff
