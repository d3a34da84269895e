// Which part of a report somebody asked for, by globs of methods, and the report cut to it.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "report/model/report_model.h"

namespace copse::report {

// Globs of each option; several are alternatives. Empty: the option was not given.
struct PartOptions {
  std::vector<std::string> focus;         // focused.h
  std::vector<std::string> root;          // rooted.h
  std::vector<std::string> callers;       // callers.h
  std::vector<std::string> threads = {};  // of --by-thread, without brackets: focused.h
};

// Which can be given together: the focus with either of the others.
Status check_part(const PartOptions& options);

// First to the threads, then to the focus, then to the root or to the callers. The error is that of a glob that matches nothing, "--focus
// Log: matched nothing; ..."; the report may have been cut by then.
Status cut(ReportModel& model, const PartOptions& options);

}  // namespace copse::report
