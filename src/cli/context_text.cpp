#include "cli/context_text.h"

#include "base/printable.h"

namespace copse::cli {

std::string ContextText::operator()(const CallPath& path) const {
  if (path.empty()) return "ROOT";
  std::string text = frame(callee_of(path[0]));
  for (std::size_t i = 1; i < path.size(); ++i) {
    text += call(site_of(path[i])) + ';' + frame(callee_of(path[i]));
  }
  return text;
}

std::string ContextText::operator()(const CallPath& path, SiteOrdinal site) const {
  return (*this)(path) + (path.empty() ? "" : call({callee_of(path.back()), site}));
}

std::string ContextText::frame(MethodId method) const {
  if (method == kRootMethod) return "ROOT";  // what a literal scheme may decode to
  if (raw(method) >= methods_.size() || methods_[raw(method)].name.empty()) {
    return '#' + std::to_string(raw(method));
  }
  const MethodName& name = methods_[raw(method)];
  const std::string package = name.class_name.empty() ? "" : name.class_name + '.';
  return printable(package + name.name);
}

// ":12" behind the caller; nothing when no call site is known, as for what the runtime calls.
std::string ContextText::call(CallSite site) const {
  const std::uint32_t caller = raw(site.caller);
  const std::uint32_t ordinal = raw(site.ordinal);
  if (ordinal == 0) return "";
  if (caller < methods_.size() && ordinal <= methods_[caller].sites.size()) {
    const std::int32_t line = methods_[caller].sites[ordinal - 1].line;
    if (line >= 0) return ':' + std::to_string(line);
  }
  return ":#" + std::to_string(ordinal);
}

}  // namespace copse::cli
