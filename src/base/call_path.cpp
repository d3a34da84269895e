#include "base/call_path.h"

namespace copse {

std::string to_string(const CallPath& path) {
  std::string text;
  for (const EdgeKey edge : path) {
    if (!text.empty()) text += ' ';
    const CallSite site = site_of(edge);
    if (site != CallSite{}) {
      text += std::to_string(raw(site.caller)) + ':' + std::to_string(raw(site.ordinal)) + '>';
    }
    text += std::to_string(raw(callee_of(edge)));
  }
  return text;
}

}  // namespace copse
