// A build-independent name for classes that a compiler or shell numbers: Foo$1 becomes Foo$2 when
// another anonymous class is added before it.
//
// The name is made of the class file: the class's name without numbers, the method around it, and a
// hash of its code. docs/report-schema.md defines it; tests/e2e/identity computes it again in Python.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace copse::classfile {

// Returns the class's name in every build, "Foo$*~main~0123456789ab", or "" if its own has no such
// number or the class file is malformed. `internal_name`: name of the class. `loader`: class name
// of its loader. Cost: linear in the name; for a name with such a number linear in the class file.
std::string stable_class_name(std::span<const std::uint8_t> class_bytes,
                              std::string_view internal_name, std::string_view loader);

// The methods of a class, with what their code does: a hash that depends neither on lines nor on the numbers of constants.
struct CodeOfClass {
  struct Method {
    std::string name, descriptor, digits;
  };
  std::string name;  // pkg.Outer$Inner
  std::vector<Method> methods;
};
// Returns std::nullopt if the class file is malformed. Where jumps lead, and exception handlers, are not in the hash.
std::optional<CodeOfClass> code_of_class(std::span<const std::uint8_t> class_bytes);

}  // namespace copse::classfile
