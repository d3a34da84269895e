// Formats a context in one line: frames with the entry first, each with the line (or `#ordinal`) of the call it makes.
#pragma once

#include <string>
#include <vector>

#include "base/call_path.h"
#include "base/program_names.h"

namespace copse::cli {

class ContextText {
 public:
  // `methods`: by id; a method without a name is shown as `#id`. REQUIRES: `methods` outlives the text.
  explicit ContextText(const std::vector<MethodName>& methods) : methods_(methods) {}

  std::string operator()(const CallPath& path) const;
  // Same, with the call site `site` of the last frame; kNoSite for none.
  std::string operator()(const CallPath& path, SiteOrdinal site) const;

 private:
  std::string frame(MethodId method) const;
  std::string call(CallSite site) const;

  const std::vector<MethodName>& methods_;
};

}  // namespace copse::cli
