#include "cli/look/chosen_context.h"

#include <cstdint>
#include <vector>

#include "compare/identity/find_context.h"
#include "compare/identity/stable_ids.h"
#include "report/part/focused.h"
#include "report/text/context_lines.h"
#include "report/text/display_names.h"

namespace copse::cli {
namespace {

// Maximum width of a path in a note.
constexpr std::size_t kPathWidth = 300;

std::string in_words(const report::ReportModel& model, const std::vector<std::int32_t>& rows) {
  const report::DisplayNames names(model.methods);
  const std::string first = report::ContextLines(model, names, {rows.front()}).text(0, kPathWidth);
  if (rows.size() == 1) return "The context " + first;
  return std::to_string(rows.size()) + " contexts with one id, such as " + first;
}

}  // namespace

Status keep_context(report::ReportModel& model, const std::string& digits,
                    const identity::IdRules& rules) {
  const Result<std::vector<std::int32_t>> rows = identity::find_context(model, digits, rules);
  if (!rows.ok()) return rows.status();
  std::vector<bool> is_chosen(model.nodes.parent.size());
  for (const std::int32_t row : *rows) is_chosen[static_cast<std::size_t>(row)] = true;
  const std::string what = in_words(model, *rows) + " (--context " + digits + ")";
  model = report::focused_on(model, is_chosen, what + ", and what is below it");
  return {};
}

}  // namespace copse::cli
