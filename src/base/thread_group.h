// Which threads belong together: those whose names differ in numbers alone.
#pragma once

#include <string>
#include <string_view>

namespace copse {

// With a star for each number: "pool-*-thread-*" of "pool-1-thread-7".
std::string thread_group(std::string_view thread_name);

}  // namespace copse
