#include "report/part/method_choice.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/glob.h"
#include "base/grouped.h"
#include "base/nearest.h"
#include "base/normal_names.h"
#include "base/printable.h"
#include "base/shell_word.h"
#include "report/model/row.h"
#include "report/model/thread_rows.h"
#include "report/model/typed_name.h"
#include "report/part/cut.h"

namespace copse::report {
namespace {

std::vector<bool> methods_in_contexts(const ReportModel& model) {
  std::vector<bool> occur(model.methods.name.size());
  for (std::size_t row = 1; row < model.nodes.method.size(); ++row) {
    occur[static_cast<std::size_t>(model.nodes.method[row])] = true;
  }
  return occur;
}

// Returns the classes of the methods, sorted.
std::vector<std::string> classes_of(const ReportModel::Methods& methods,
                                    const std::vector<bool>& rows) {
  std::set<std::string> names;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows[row]) names.insert(methods.class_name[row]);
  }
  return {names.begin(), names.end()};
}

constexpr std::size_t kMostNamed = 5;

// Returns a suggestion: the thread's group, or a name of similar spelling; "" if none.
std::string meant_thread(const std::string& glob, const std::vector<std::string>& names) {
  const std::string group = thread_group(glob);
  if (std::find(names.begin(), names.end(), group) != names.end()) return group;
  return nearest(glob, names);
}

Status matched_no_thread(const std::string& glob, const std::vector<std::string>& names) {
  std::string text = "--thread " + shell_word(glob) + ": matched nothing";
  if (const std::string meant = meant_thread(glob, names); !meant.empty()) {
    return Status::error(Fault::kNotFound,
                         text + "; did you mean --thread " + shell_word(meant) + "?");
  }
  text += "; the report has ";
  for (std::size_t i = 0; i < std::min(names.size(), kMostNamed); ++i) {
    text += (i == 0 ? "" : ", ") + printable(names[i]);
  }
  if (names.size() > kMostNamed) text += " and " + grouped(names.size() - kMostNamed) + " more";
  return Status::error(Fault::kNotFound, text);
}

// Returns the name of the row of a thread, by the names of all rows.
std::string row_of_thread(const std::string& name, const std::set<std::string_view>& rows) {
  if (name.empty()) return "unnamed threads";
  if (rows.contains(name)) return name;
  std::string group = thread_group(name);
  return rows.contains(group) ? group : "other threads";
}

}  // namespace

GlobGuess guess_methods(const ReportModel::Methods& methods, const std::vector<bool>& rows,
                        std::string_view glob) {
  std::map<std::string_view, std::vector<std::string>> by_class;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows[row]) by_class[methods.class_name[row]].push_back(methods.name[row]);
  }
  KnownNames names;
  std::vector<std::vector<std::string>> methods_of;
  for (auto& [class_name, of_class] : by_class) {
    for (const std::string& method : of_class) {
      names.all_methods.push_back(class_name.empty() ? method
                                                     : std::string(class_name) + "." + method);
    }
    names.classes.push_back(class_name);
    methods_of.push_back(std::move(of_class));
  }
  names.methods = [&methods_of](std::size_t index) { return methods_of[index]; };
  return guess_glob(glob, names);
}

Result<MethodChoice> choose_methods(const ReportModel& model, std::string_view option,
                                    const std::vector<std::string>& globs,
                                    const FindContext& find_context) {
  const std::vector<bool> occur = methods_in_contexts(model);
  MethodChoice choice{std::string(option), globs, std::vector<bool>(occur.size()), {}};
  for (const std::string& glob : globs) {
    if (find_context && glob.starts_with('@')) {
      const Result<std::vector<std::int32_t>> found = find_context(model, glob.substr(1));
      if (!found.ok()) return found.status().behind(choice.option + " @");
      choice.contexts.resize(model.nodes.parent.size());
      for (const std::int32_t row : *found) choice.contexts[at(row)] = true;
      choice.classes.emplace_back();
      continue;
    }
    const TypedName name(glob);
    const std::vector<bool> rows = name.rows(model.methods, occur);
    if (std::find(rows.begin(), rows.end(), true) == rows.end()) {
      const auto spelled = [&](std::string_view typed) {
        return choice.option + " " + shell_word(typed);
      };
      return Status::error(Fault::kNotFound,
                           spelled(glob) + ": matched nothing" +
                               guess_methods(model.methods, occur, glob).hint(spelled));
    }
    std::transform(rows.begin(), rows.end(), choice.methods.begin(), choice.methods.begin(),
                   std::logical_or<>());
    choice.classes.push_back(name.is_single() ? classes_of(model.methods, rows)
                                              : std::vector<std::string>());
  }
  return choice;
}

Result<MethodChoice> choose_threads(const ReportModel& model,
                                    const std::vector<std::string>& globs) {
  const std::vector<std::size_t> rows = thread_rows(model);
  if (rows.empty()) {
    return Result<MethodChoice>::error(Fault::kNotFound,
                                       "--thread " + shell_word(globs.front()) +
                                           ": the report has no threads; record with --by-thread");
  }
  const GlobList list(globs);
  MethodChoice choice{"--thread", globs, std::vector<bool>(model.methods.name.size())};
  std::vector<std::string> names;
  for (const std::size_t row : rows) {
    names.emplace_back(*thread_of(model, row));
    if (!list.matches(names.back())) continue;
    choice.methods[static_cast<std::size_t>(model.nodes.method[row])] = true;
  }
  if (const std::vector<std::string> unused = list.unused(); !unused.empty()) {
    return matched_no_thread(unused.front(), names);
  }
  return choice;
}

ReportModel of_threads(ReportModel& model, const MethodChoice& choice) {
  std::set<std::string_view> rows, chosen;
  for (const std::size_t row : thread_rows(model)) {
    rows.insert(*thread_of(model, row));
    if (choice.methods[at(model.nodes.method[row])]) chosen.insert(*thread_of(model, row));
  }
  const std::vector<ReportModel::Thread> threads = std::exchange(model.threads, {});
  ReportModel part = focused(model, choice);
  if (threads.empty()) return part;
  part.totals.threads = 0;
  for (std::size_t i = 0; i < threads.size(); ++i) {
    if (!chosen.contains(row_of_thread(threads[i].name, rows))) continue;
    part.totals.threads += threads[i].threads;
    part.threads.push_back(threads[i]);
    part.threads.back().node = -1;
    for (std::size_t m = 0; m < part.measures.size(); ++m) {
      const std::vector<std::uint64_t>& amounts = model.measures[m].of_threads;
      if (!amounts.empty()) part.measures[m].of_threads.push_back(amounts[i]);
    }
  }
  return part;
}

}  // namespace copse::report
