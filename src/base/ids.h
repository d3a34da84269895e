// Identifiers shared by all modules. Each is a distinct type, so that a method cannot be passed in
// place of a call site. All are dense integers given out by Copse itself, never by the JVM.
#pragma once

#include <cstdint>
#include <type_traits>

namespace copse {

// A method of the profiled program. 24 bits; 0 is "no method" (ROOT), ids start at 1.
enum class MethodId : std::uint32_t {};
inline constexpr MethodId kNoMethod{0};
inline constexpr std::uint32_t kMaxMethodId = (1u << 24) - 1;
// Last id that an agent gives to a method. Higher ids in packets mark records that are not calls
// (id_word.h).
inline constexpr std::uint32_t kLastMethodId = 0xFC'FFFF;

// A call site within its caller: 1 + its ordinal among the caller's sites. 16 bits; 0 is "no call
// site": thread entries, and what the runtime calls where there is no call (at new or getstatic).
enum class SiteOrdinal : std::uint16_t {};
inline constexpr SiteOrdinal kNoSite{0};

// A thread that made at least one recorded call, numbered in order of the first call.
enum class ThreadIndex : std::uint32_t {};

// A node of a context tree. Parents have smaller indices than their children; 0 is ROOT.
enum class NodeIndex : std::uint32_t {};
inline constexpr NodeIndex kRootNode{0};

template <typename Id>
constexpr auto raw(Id id) noexcept {
  return static_cast<std::underlying_type_t<Id>>(id);
}

}  // namespace copse
