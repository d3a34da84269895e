// Reads classes of the running JDK's module image without loading them, through the JDK's own
// libjimage. Used to learn, before a class is loaded, which of its methods are native or intrinsic.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace copse::jvm {

class BootImage {
 public:
  // Returns nullptr if the JDK has no readable image (an exploded build).
  static std::unique_ptr<BootImage> open(const std::string& java_home);
  virtual ~BootImage() = default;

  // Returns the class file of `internal_name`; empty if the image has no such class. Threads: one at a time.
  virtual std::vector<std::uint8_t> read_class(std::string_view internal_name) = 0;
};

}  // namespace copse::jvm
