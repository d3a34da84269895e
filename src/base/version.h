#pragma once

namespace copse {

// The project's version, as in CMakeLists.txt (a test compares them).
inline constexpr const char* kVersion = "0.1.0";

}  // namespace copse
