// The Java classes whose static methods probes call (src/agent/jvm/runtime), named as in class
// files.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/ids.h"

namespace copse::classfile {

inline constexpr std::string_view kProbeClass = "java/lang/CopseProbe";
inline constexpr std::string_view kIdsClass = "java/lang/CopseIds";
inline constexpr std::string_view kIdWordsClass = "java/lang/CopseIdWords";
inline constexpr std::string_view kValuesClass = "java/lang/CopseValues";
inline constexpr std::string_view kTasksClass = "java/lang/CopseTasks";
inline constexpr std::string_view kThreadClass = "java/lang/CopseThread";

// Returns a method's id as an argument: Java has no unsigned numbers.
inline std::int32_t as_int(MethodId id) { return static_cast<std::int32_t>(raw(id)); }

}  // namespace copse::classfile
