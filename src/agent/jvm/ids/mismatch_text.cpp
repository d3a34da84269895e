#include "agent/jvm/ids/mismatch_text.h"

#include <algorithm>
#include <cstddef>
#include <span>

#include "base/grouped.h"
#include "base/printable.h"

namespace copse::jvm {
namespace {

// Calls of a path that are shown before the first difference, and from there on.
constexpr std::size_t kShownBefore = 3;
constexpr std::size_t kShownAfter = 5;

std::string call_text(EdgeKey edge, const MethodTable& methods) {
  const CallSite site = site_of(edge);
  const MethodName name = methods.name_of(callee_of(edge));
  std::string text;
  if (site.ordinal != kNoSite) {
    text = "@" + std::to_string(methods.site_bci(site.caller, site.ordinal)) + " ";
  }
  return text + name.class_name + "." + name.name;
}

std::string path_text(const CallPath& path, std::size_t equal, const MethodTable& methods) {
  const std::size_t from = equal - std::min(equal, kShownBefore);
  const std::size_t to = std::min(path.size(), equal + kShownAfter);
  std::string text = from == 0 ? "" : "... ";
  for (std::size_t i = from; i < to; ++i) {
    text += (i == from ? "" : " > ") + call_text(path[i], methods);
  }
  return text + (to == path.size() ? "" : " ...") + " (" + counted(path.size(), "call") + ")";
}

std::string text_of(std::uint64_t id, const Result<CallPath>& decoded, const CallPath& truth,
                    const char* where, const MethodTable& methods) {
  const std::span<const EdgeKey> path =
      decoded.ok() ? std::span<const EdgeKey>(*decoded) : std::span<const EdgeKey>();
  const auto [end, other] = std::ranges::mismatch(path, truth);
  const auto equal = static_cast<std::size_t>(end - path.begin());
  return printable(
      "id " + std::to_string(id) + " decodes to " +
      (decoded.ok() ? path_text(*decoded, equal, methods) : "nothing (" + decoded.message() + ")") +
      ", " + where + " has " + path_text(truth, equal, methods));
}

// Without call sites: ROOT's edge to each method.
CallPath methods_alone(std::span<const MethodId> methods) {
  CallPath path;
  for (const MethodId method : methods) path.push_back(entry_edge(method));
  return path;
}

}  // namespace

std::string mismatch_text(std::uint64_t id, const Result<CallPath>& decoded, const CallPath& truth,
                          const MethodTable& methods) {
  return text_of(id, decoded, truth, "the tree", methods);
}

std::string stack_mismatch_text(std::uint64_t id, const Result<CallPath>& decoded,
                                const std::vector<MethodId>& stack, const MethodTable& methods) {
  if (!decoded.ok()) return text_of(id, decoded, methods_alone(stack), "the stack", methods);
  std::vector<MethodId> callees;
  for (const EdgeKey edge : *decoded) callees.push_back(callee_of(edge));
  return text_of(id, methods_alone(callees), methods_alone(stack), "the stack", methods);
}

std::string names_text(const std::vector<MethodId>& of, std::size_t most,
                       const MethodTable& methods) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most, of.size()); ++i) {
    const MethodName name = methods.name_of(of[i]);
    text += (i == 0 ? "" : ", ") + name.class_name + "." + name.name;
  }
  if (of.size() > most) text += " and " + std::to_string(of.size() - most) + " more";
  return printable(text);
}

}  // namespace copse::jvm
