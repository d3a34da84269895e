#pragma once

namespace copse {

// The project's version. CMakeLists.txt reads it here.
inline constexpr const char* kVersion = "0.1.0";

}  // namespace copse
