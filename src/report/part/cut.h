// Cuts a report to the part that options choose by globs of methods.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "report/model/report_model.h"

namespace copse::report {

// Globs of each option; several globs are alternatives. Empty means that the option was not given.
struct PartOptions {
  std::vector<std::string> focus;         // focused.h
  std::vector<std::string> root;          // rooted.h
  std::vector<std::string> callers;       // callers.h
  std::vector<std::string> threads = {};  // of --by-thread, without brackets: focused.h
  std::vector<std::string> hide = {};     // hidden.h
};

// Checks the combination: a focus goes with either of the others, a root not with callers.
Status check_part(const PartOptions& options);

// Cuts to the threads first, then to the focus; then hides; then cuts to the root or the callers. Returns an error
// for a glob without a match, "--focus Log: matched nothing; ..."; the report may be partly cut by
// then.
Status cut(ReportModel& model, const PartOptions& options);

}  // namespace copse::report
