// Types as descriptors of class files spell them.
#pragma once

#include <string>
#include <string_view>

namespace copse {

// Takes one type off the descriptor, and returns it as Java's sources have it: java.lang.String[]
// of [Ljava/lang/String;. "" when it is none. What tells a hidden class from others of its name,
// behind a dot, is left out.
std::string take_java_type(std::string_view& descriptor);

}  // namespace copse
