// Cuts a report to the part that options choose by globs of methods.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "report/model/report_model.h"
#include "report/part/method_choice.h"

namespace copse::report {

// Names of each option, alternatives where there are several: globs of methods, or "@" and a context's id. Empty means
// that the option was not given.
struct PartOptions {
  std::vector<std::string> focus;          // focused.h
  std::vector<std::string> root;           // rooted.h
  std::vector<std::string> callers;        // callers.h
  std::vector<std::string> threads = {};   // of --by-thread, without brackets: focused.h
  std::vector<std::string> hide = {};      // joined.h
  std::vector<std::string> subtract = {};  // subtracted.h
  std::vector<std::string> fold = {};      // joined.h; each is a frame of its own
  FindContext find_context = nullptr;      // nullptr: "@" begins a glob like any other
};

// Checks the combination: a focus goes with either of the others, a root not with callers.
Status check_part(const PartOptions& options);

// Cuts to the threads first, then to the focus; then subtracts, hides, folds; then cuts to the root or the callers.
// Returns an error for a name without a match, "--focus Log: matched nothing; ..."; the report may be partly cut by then.
Status cut(ReportModel& model, const PartOptions& options);

}  // namespace copse::report
