// Chooses methods of a report by names and globs (typed_name.h), or single contexts by their stable ids.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/glob_guess.h"
#include "base/status.h"
#include "report/model/report_model.h"

namespace copse::report {

struct MethodChoice {
  std::string option;              // "--focus", for messages and notes
  std::vector<std::string> globs;  // as typed
  std::vector<bool> methods;       // by index into the report's methods
  // By glob: sorted classes of its methods if it has no star.
  std::vector<std::vector<std::string>> classes = {};
  std::vector<bool> contexts =
      {};  // by row of the nodes: chosen by an id; empty if no id was typed

  bool has(std::int32_t method) const noexcept {
    return method >= 0 && methods[static_cast<std::size_t>(method)];
  }
  // Returns true if the context is chosen, or its method.
  bool has_context(const ReportModel::Nodes& nodes, std::size_t row) const noexcept {
    return has(nodes.method[row]) || (!contexts.empty() && contexts[row]);
  }
};

// Guesses what a glob that matched none of these rows may have meant.
GlobGuess guess_methods(const ReportModel::Methods& methods, const std::vector<bool>& rows,
                        std::string_view glob);

// Returns the rows of the context whose stable id begins with `digits`; the error begins with the digits.
using FindContext = std::function<Result<std::vector<std::int32_t>>(const ReportModel& model,
                                                                    const std::string& digits)>;

// Chooses among methods that occur in a context. The error has the first glob without a match and a
// suggestion: "--focus Lgo: matched nothing; did you mean --focus Log?". With `find_context`, "@3fa9" is the context
// whose id begins so.
Result<MethodChoice> choose_methods(const ReportModel& model, std::string_view option,
                                    const std::vector<std::string>& globs,
                                    const FindContext& find_context = nullptr);

// Chooses threads of a report by globs (--by-thread).

// `globs`: match names without brackets. The error says that the report has no threads, or lists
// them.
Result<MethodChoice> choose_threads(const ReportModel& model,
                                    const std::vector<std::string>& globs);

// Returns the contexts of the chosen threads, with these threads and their amounts. Takes the list of threads out of
// `model`.
ReportModel of_threads(ReportModel& model, const MethodChoice& choice);

}  // namespace copse::report
