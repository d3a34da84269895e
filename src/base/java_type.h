// Types as descriptors of class files spell them.
#pragma once

#include <string>
#include <string_view>

namespace copse {

// Takes one type off the descriptor, and returns it as Java's sources have it: java.lang.String[]
// of [Ljava/lang/String;. "" when it is none. What tells hidden classes of one name apart,
// behind a dot, and the numbers of lambdas' classes are left out.
std::string take_java_type(std::string_view& descriptor);

}  // namespace copse
