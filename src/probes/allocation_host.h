// Numbers for the types of allocated objects, by which probes find an object's size.
#pragma once

#include <cstdint>
#include <string_view>

namespace copse::classfile {

class AllocationHost {
 public:
  virtual ~AllocationHost() = default;
  // Returns the number of a class, named as in the class being rewritten; for arrays, of those
  // whose name is wanted.
  virtual std::int32_t type(std::string_view class_name) = 0;
};

// Layout of an array: one of newarray's types, or this value for references.
inline constexpr std::int32_t kReferenceArray = 12;

}  // namespace copse::classfile
