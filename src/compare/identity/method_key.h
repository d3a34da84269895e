// What of a report's methods and call sites is the same in every run.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "compare/identity/id_rules.h"
#include "report/model/report_model.h"

namespace copse::identity {

// Neither the loader nor the source file is part of it.
struct MethodKey {
  std::string class_name;
  std::string name;
  std::string descriptor;
  friend auto operator<=>(const MethodKey&, const MethodKey&) = default;
};

// `row`: of `methods`.
MethodKey method_key(const report::ReportModel::Methods& methods, std::size_t row, Names names);

struct SiteKey {
  enum class Kind : std::uint8_t {
    kNoSite = 0,   // none, or sites do not count
    kUnknown = 1,  // some call site, of which nothing is known
    kBytecodeIndex = 2,
    kLine = 3,
  };
  Kind kind = Kind::kNoSite;
  std::uint32_t number = 0;
  friend auto operator<=>(const SiteKey&, const SiteKey&) = default;
};

// `row`: of `sites`, or -1.
SiteKey site_key(const report::ReportModel::Sites& sites, std::int32_t row, Sites rule);

}  // namespace copse::identity
