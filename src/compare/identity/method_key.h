// Keys of methods and call sites that are equal in every run.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "compare/identity/id_rules.h"
#include "report/model/report_model.h"

namespace copse::identity {

// Excludes the loader and the source file.
struct MethodKey {
  std::string class_name;
  std::string name;
  std::string descriptor;
  friend auto operator<=>(const MethodKey&, const MethodKey&) = default;
};

// `row`: index into `methods`.
MethodKey method_key(const report::ReportModel::Methods& methods, std::size_t row, Names names);

struct SiteKey {
  enum class Kind : std::uint8_t {
    kNoSite = 0,   // no site, or sites do not count
    kUnknown = 1,  // a call site without known bytecode index and line
    kBytecodeIndex = 2,
    kLine = 3,
  };
  Kind kind = Kind::kNoSite;
  std::uint32_t number = 0;
  friend auto operator<=>(const SiteKey&, const SiteKey&) = default;
};

// `row`: index into `sites`; -1 means no site.
SiteKey site_key(const report::ReportModel::Sites& sites, std::int32_t row, Sites rule);

}  // namespace copse::identity
