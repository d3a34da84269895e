// Numbers for what is allocated, by which probes find its size.
#pragma once

#include <cstdint>
#include <string_view>

namespace copse::classfile {

class AllocationHost {
 public:
  virtual ~AllocationHost() = default;
  // Of a class, as the one that is being rewritten names it; of an array where a name is wanted
  // for it.
  virtual std::int32_t type(std::string_view class_name) = 0;
};

// How an array is laid out: newarray's types, and of references this.
inline constexpr std::int32_t kReferenceArray = 12;

}  // namespace copse::classfile
