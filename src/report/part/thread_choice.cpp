#include "report/part/thread_choice.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "base/glob.h"
#include "base/grouped.h"
#include "base/nearest.h"
#include "base/printable.h"
#include "base/shell_word.h"
#include "base/thread_group.h"
#include "report/model/row.h"
#include "report/model/thread_rows.h"
#include "report/part/focused.h"

namespace copse::report {
namespace {

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
