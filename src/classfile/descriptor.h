// Method and field descriptors (JVMS 4.3).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace copse::classfile {

// Returns the operand stack or local variable slots of a type that starts with `first`.
constexpr std::uint32_t slots_of(char first) noexcept {
  return first == 'J' || first == 'D' ? 2 : 1;
}

// Walks a method descriptor: take_parameter() until nullopt, then ok() and return_slots().
class DescriptorReader {
 public:
  explicit DescriptorReader(std::string_view descriptor) noexcept;

  // Returns the next parameter's type, "I", "[J", "Ljava/lang/String;"; std::nullopt after the
  // last.
  std::optional<std::string_view> take_parameter() noexcept;
  bool ok() const noexcept { return ok_; }
  // REQUIRES: take_parameter() returned std::nullopt.
  std::uint32_t return_slots() const noexcept;

 private:
  std::string_view take_type() noexcept;

  std::string_view rest_;
  bool ok_ = true;
  bool in_parameters_ = true;
};

}  // namespace copse::classfile
