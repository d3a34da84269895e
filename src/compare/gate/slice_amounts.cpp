#include "compare/gate/slice_amounts.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/grouped.h"
#include "base/printable.h"
#include "compare/gate/method_pattern.h"
#include "report/part/typed_name.h"

namespace copse::gate {
namespace {

using diff::ReportSlices;
using diff::SliceCalls;
using report::ReportModel;

// Returns whether the glob matches, by item of `slices`.
std::vector<bool> matches(const ReportSlices& slices, const std::string& glob,
                          const std::string SliceCalls::*class_name,
                          const std::string SliceCalls::*method) {
  ReportModel::Methods names;
  for (const SliceCalls& calls : slices.calls) {
    names.class_name.push_back(calls.*class_name);
    names.name.push_back(calls.*method);
  }
  names.descriptor.resize(names.name.size(), "()V");
  return report::TypedName(glob).rows(names);
}

// Returns the item of `slices` with the most calls of the term; nullptr if no slice has any.
Result<const SliceCalls*> most_of(const ReportSlices& slices, const std::string& name,
                                  const Term& term) {
  if (!slices.are_followed) {
    return Status::error(Fault::kNotFound,
                         printable(name) + " has no slices; record it with --slice");
  }
  const std::vector<bool> of =
      matches(slices, term.per_slice->glob, &SliceCalls::of_class, &SliceCalls::of_method);
  if (std::ranges::find(of, true) == of.end() && !term.per_slice->may_be_absent) {
    return Status::error(Fault::kNotFound, "no slice of " + printable(term.per_slice->glob) +
                                               " ended in " + printable(name));
  }
  const std::vector<bool> called =
      matches(slices, term.of.glob, &SliceCalls::class_name, &SliceCalls::method);
  const SliceCalls* most = nullptr;
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < slices.calls.size(); ++i) {
    if (!of[i] || !called[i]) continue;
    const SliceCalls& calls = slices.calls[i];
    const bool is_other = std::ranges::any_of(
        rows, [&](std::size_t row) { return slices.calls[row].of == calls.of; });
    if (is_other) {
      return Status::error(Fault::kUsage, printable(term.of.glob) +
                                              " matches several methods, whose calls in one slice "
                                              "are not known together; name one");
    }
    rows.push_back(i);
    if (most == nullptr || calls.most > most->most) most = &calls;
  }
  return most;
}

}  // namespace

Result<Amounts> slice_amounts_of(const diff::Comparison& comparison, const Term& term,
                                 bool needs_old) {
  if (const auto found = matching_methods(comparison, term.of); !found.ok()) return found.status();
  Amounts amounts;
  amounts.name = report::kCallsMeasure;
  for (const bool is_new : {true, false}) {
    if (!is_new && !needs_old) continue;
    const ReportSlices& slices = is_new ? comparison.new_slices : comparison.old_slices;
    const std::string& name = is_new ? comparison.new_name : comparison.old_name;
    const Result<const SliceCalls*> most = most_of(slices, name, term);
    if (!most.ok()) return most.status();
    Amount& amount = is_new ? amounts.now : amounts.before;
    amount.value = amount.least = amount.greatest = *most == nullptr ? 0 : (*most)->most;
    amount.possible = amount.of_runs();
    if (slices.not_whole == 0) continue;
    amount.possible.is_bounded = false;
    amount.why_unknown =
        counted(slices.not_whole, "slice") + " not followed to the end in " + printable(name);
  }
  return amounts;
}

std::uint64_t slice_with_most(const diff::Comparison& comparison, const Term& term) {
  const Result<const SliceCalls*> most = most_of(comparison.new_slices, comparison.new_name, term);
  return most.ok() && *most != nullptr ? (*most)->slice : 0;
}

}  // namespace copse::gate
