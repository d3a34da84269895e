// Methods of the JDK that HotSpot's compilers replace with code of their own, an intrinsic, or leave out
// where nobody uses their result.
#pragma once

#include <span>
#include <string_view>

namespace copse::jvm {

struct Intrinsic {
  std::string_view class_name;  // java.lang.Math
  std::string_view method;      // of any descriptor
  std::string_view names;       // of its intrinsics in all versions, with commas between them
  std::string_view flag;        // of the JVM, without which it is not left out; "": none
  // Of an overload that the interpreter replaces, too; "": none.
  std::string_view interpreted = "";
};

// Those that are replaced by a compiler's choice alone, when it comes to a call. Not here: what the
// interpreter replaces as well (Math.sin, CRC32.update), what the JDK's own beginning has compiled
// (Preconditions.checkIndex), and natives.
std::span<const Intrinsic> compilers_intrinsics() noexcept;

}  // namespace copse::jvm
