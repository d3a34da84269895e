// Chooses methods of a report by names and globs (typed_name.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "report/model/report_model.h"

namespace copse::report {

struct MethodChoice {
  std::string option;              // "--focus", for messages and notes
  std::vector<std::string> globs;  // as typed
  std::vector<bool> methods;       // by index into the report's methods
  // By glob: sorted classes of its methods if it has no star.
  std::vector<std::vector<std::string>> classes = {};

  bool has(std::int32_t method) const noexcept {
    return method >= 0 && methods[static_cast<std::size_t>(method)];
  }
};

// Chooses among methods that occur in a context. The error has the first glob without a match and a
// suggestion: "--focus Lgo: matched nothing; did you mean --focus Log?".
Result<MethodChoice> choose_methods(const ReportModel& model, std::string_view option,
                                    const std::vector<std::string>& globs);

}  // namespace copse::report
