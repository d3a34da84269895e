#include <string>
#include <string_view>
#include <utility>

#include "report/model/measure_view.h"
#include "report/model/older_report_internal.h"

namespace copse::report {
namespace {

void replace(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

void rename_option(ReportModel& model, const char* from, const char* to) {
  auto option = model.options.extract(from);
  if (option.empty()) return;
  option.key() = to;
  model.options.insert(std::move(option));
}

// Renames in notes of a run, which stand beside the nodes that they name.
void rename_in_note(std::string& note) {
  replace(note, "were folded into nodes named (folded)", "were evicted into nodes named (evicted)");
  replace(note, "Recursion is folded:", "Recursion is merged:");
  replace(note, "--fold-recursion", "--merge-recursion");
}

}  // namespace

void rename_folded(ReportModel& model, const FirstSchemaTotals& totals) {
  model.totals.evicted_calls = totals.folded_calls;
  model.totals.evicted_contexts = totals.folded_contexts;
  ReportModel::Methods& methods = model.methods;
  for (std::size_t row = 0; row < methods.class_name.size(); ++row) {
    const bool has_descriptor = row < methods.descriptor.size() && !methods.descriptor[row].empty();
    if (methods.class_name[row] == "(folded)" && !has_descriptor) {
      methods.class_name[row] = kEvictedClass;
    }
  }
  rename_option(model, "fold-recursion", "merge-recursion");
  rename_option(model, "token-every", "check-every");
  for (std::string& note : model.notes) rename_in_note(note);
}

void add_what_older_reports_lack(ReportModel& model) {
  const auto encoder = model.options.find("encoder");
  const bool counts_marks = encoder != model.options.end() && !encoder->second.empty() &&
                            !model.options.contains("check-every");
  if (model.shown.empty()) {
    model.shown = measure_to_show(model);
    if (counts_marks) model.totals.calls_of = kMarkedMethods;
  }
}

}  // namespace copse::report
