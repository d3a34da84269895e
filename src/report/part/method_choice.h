// The methods of a report that globs choose (base/glob.h).
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
  std::vector<std::string> globs;  // as they were typed
  std::vector<bool> methods;       // by index into the report's methods

  bool has(std::int32_t method) const noexcept {
    return method >= 0 && methods[static_cast<std::size_t>(method)];
  }
};

// Of the methods that are in a context. The error names the first glob that matches none of them,
// with what was probably meant: "--focus Log: matched nothing; did you mean --focus '**.Log'?".
Result<MethodChoice> choose_methods(const ReportModel& model, std::string_view option,
                                    const std::vector<std::string>& globs);

}  // namespace copse::report
