// A name for classes that a compiler or shell counts, which is the same in every build: Foo$1 is Foo$2 when another
// anonymous class was added before it.
//
// The name is made of what the class file says: the class's name without numbers, the method around it, and a hash of
// its code. docs/formats.md defines it; tests/e2e/identity computes it again in Python.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace copse::classfile {

// Returns the class's name in every build, "Foo$*~main~0123456789ab", or "" if its own has no such number or the class
// file is malformed. `internal_name`: of the class. `loader`: name of the class of its loader.
// Cost: linear in the name; for a name with such a number linear in the class file.
std::string stable_class_name(std::span<const std::uint8_t> class_bytes,
                              std::string_view internal_name, std::string_view loader);

}  // namespace copse::classfile
