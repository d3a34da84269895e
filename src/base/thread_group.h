// Groups of threads whose names differ in numbers alone.
#pragma once

#include <string>
#include <string_view>

namespace copse {

// Returns the name with a star for each number: "pool-*-thread-*" for "pool-1-thread-7".
std::string thread_group(std::string_view thread_name);

}  // namespace copse
