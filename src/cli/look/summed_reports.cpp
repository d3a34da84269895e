#include "cli/look/summed_reports.h"

#include <utility>

#include "cli/file_kind.h"
#include "cli/look/kept_reports.h"
#include "compare/identity/merge.h"

namespace copse::cli {
namespace {

// Returns a report's name in the sum, which does not depend on its folder.
std::string name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

Result<report::ReportModel> read_sum(const std::vector<std::string>& files,
                                     const identity::IdRules& rules, SingleReport single,
                                     Progress& progress) {
  for (const std::string& file : files) {
    if (Status status = check_kind(file, {FileKind::kReport}, "a report as JSON"); !status) {
      return status;
    }
  }
  identity::Merge merge(rules);
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string place = files.size() == 1 ? ""
                                                : " (" + std::to_string(i + 1) + " of " +
                                                      std::to_string(files.size()) + ")";
    progress.now("reading " + files[i] + place);
    Result<report::ReportModel> part = read_report(files[i]);
    if (!part.ok()) return part;
    // A sum has been merged, whatever its rules are.
    const bool stays = single == SingleReport::kAsItIs || part->merged.reports != 0;
    if (files.size() == 1 && stays) return part;
    progress.now("merging " + files[i] + place);
    if (Status status = merge.add(std::move(part).value(), name_of(files[i])); !status) {
      return status.behind(files[i] + ": ");
    }
  }
  return merge.take();
}

}  // namespace copse::cli
