// Methods of the JDK that HotSpot's compilers replace with code of their own, an intrinsic, or leave out if
// their result is unused.
#pragma once

#include <span>
#include <string_view>

namespace copse::jvm {

struct Intrinsic {
  std::string_view class_name;  // java.lang.Math
  std::string_view method;      // with any descriptor
  std::string_view names;       // intrinsics in all versions, separated by commas
  std::string_view flag;        // JVM flag; when off, the call is not left out; "" if none
  // Descriptor of an overload that the interpreter replaces too; "" if none.
  std::string_view interpreted = "";
};

// Returns the methods that only a compiler chooses to replace, when it compiles a call. Not included: methods
// that the interpreter replaces as well (Math.sin, CRC32.update), methods that the JDK's own start-up has
// compiled (Preconditions.checkIndex), and native methods.
std::span<const Intrinsic> compilers_intrinsics() noexcept;

}  // namespace copse::jvm
