// Java types, as descriptors of class files and as Java source spell them.
#pragma once

#include <string>
#include <string_view>

namespace copse {

// Takes one type off the descriptor and returns it as Java source has it: java.lang.String[] for
// [Ljava/lang/String;. Returns "" if the descriptor does not start with a type. Leaves out the
// suffix that tells hidden classes of one name apart, behind a dot, and the numbers of lambda
// classes.
std::string take_java_type(std::string_view& descriptor);

// Returns the descriptor of a type in Java source, or of void: [Ljava/lang/String; for java.lang.String[].
std::string descriptor_of_type(std::string_view type);

}  // namespace copse
