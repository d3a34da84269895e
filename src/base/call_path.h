// Call sites, call edges and calling contexts, for all encoders.
//
// An edge is one (call site, callee) pair and packs into 64 bits:
//
//   bits   63..40   39..24    23..0
//   edge   caller   ordinal   callee
//
// Callee ids start at 1, so 0 is never an edge. Caller 0 is the virtual ROOT above every thread
// entry: the edge (ROOT, no site, entry) starts each context, and `main` called again is an
// ordinary callee. A context is the list of its edges from ROOT to the running method.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"

namespace copse {

inline constexpr MethodId kRootMethod = kNoMethod;

struct CallSite {
  MethodId caller = kRootMethod;
  SiteOrdinal ordinal = kNoSite;

  friend constexpr auto operator<=>(const CallSite&, const CallSite&) = default;
};

enum class EdgeKey : std::uint64_t {};
inline constexpr EdgeKey kNoEdge{0};

using CallPath = std::vector<EdgeKey>;

constexpr EdgeKey edge_key(CallSite site, MethodId callee) noexcept {
  return EdgeKey{(std::uint64_t{raw(site.caller)} << 40) |
                 (std::uint64_t{raw(site.ordinal)} << 24) | raw(callee)};
}
// Returns the edge by which a thread (or native code) enters `entry`.
constexpr EdgeKey entry_edge(MethodId entry) noexcept { return edge_key({}, entry); }

constexpr MethodId callee_of(EdgeKey edge) noexcept {
  return MethodId{static_cast<std::uint32_t>(raw(edge) & kMaxMethodId)};
}
constexpr MethodId caller_of(EdgeKey edge) noexcept {
  return MethodId{static_cast<std::uint32_t>(raw(edge) >> 40)};
}
constexpr CallSite site_of(EdgeKey edge) noexcept {
  return {caller_of(edge), SiteOrdinal{static_cast<std::uint16_t>(raw(edge) >> 24)}};
}
// Returns the site as one number: the edge without its callee, shifted down.
constexpr std::uint64_t site_key(EdgeKey edge) noexcept { return raw(edge) >> 24; }
constexpr std::uint64_t site_key(CallSite site) noexcept {
  return (std::uint64_t{raw(site.caller)} << 16) | raw(site.ordinal);
}
constexpr CallSite site_from_key(std::uint64_t key) noexcept {
  return {MethodId{static_cast<std::uint32_t>(key >> 16)},
          SiteOrdinal{static_cast<std::uint16_t>(key)}};
}

// "1 1:2>3": entry method first, then caller:ordinal>callee per edge. For messages and tests.
std::string to_string(const CallPath& path);

}  // namespace copse
