// Groups of threads whose names differ in numbers and random ids alone.
#pragma once

#include <string>
#include <string_view>

namespace copse {

// Returns the name with a star for each number: "pool-*-thread-*" for "pool-1-thread-7". A UUID is one number, and so are
// eight hexadecimal digits and more with a letter behind a digit: "job-*" for "job-5f3a09bc".
std::string thread_group(std::string_view thread_name);

}  // namespace copse
