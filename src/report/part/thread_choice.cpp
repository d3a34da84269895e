#include "report/part/thread_choice.h"

#include <algorithm>

#include "base/glob.h"
#include "base/grouped.h"
#include "base/nearest.h"
#include "base/printable.h"
#include "base/shell_word.h"
#include "base/thread_group.h"
#include "report/model/thread_rows.h"

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

}  // namespace copse::report
