#include "classfile/descriptor.h"

namespace copse::classfile {

DescriptorReader::DescriptorReader(std::string_view descriptor) noexcept : rest_(descriptor) {
  ok_ = !rest_.empty() && rest_.front() == '(';
  if (ok_) rest_.remove_prefix(1);
}

std::string_view DescriptorReader::take_type() noexcept {
  std::size_t length = 0;
  while (length < rest_.size() && rest_[length] == '[') ++length;
  if (length < rest_.size() && rest_[length] == 'L') {
    const std::size_t end = rest_.find(';', length);
    length = end == std::string_view::npos ? rest_.size() + 1 : end + 1;
  } else if (length < rest_.size() &&
             std::string_view("BCDFIJSZ").find(rest_[length]) != std::string_view::npos) {
    ++length;
  } else {
    length = rest_.size() + 1;
  }
  if (length > rest_.size()) {
    ok_ = false;
    return {};
  }
  const std::string_view type = rest_.substr(0, length);
  rest_.remove_prefix(length);
  return type;
}

std::optional<std::string_view> DescriptorReader::take_parameter() noexcept {
  if (!ok_ || !in_parameters_) return std::nullopt;
  if (!rest_.empty() && rest_.front() == ')') {
    in_parameters_ = false;
    rest_.remove_prefix(1);
    if (rest_ != "V") {
      const std::string_view return_type = rest_;
      take_type();
      if (!rest_.empty()) ok_ = false;
      rest_ = return_type;
    }
    return std::nullopt;
  }
  const std::string_view type = take_type();
  if (!ok_) return std::nullopt;
  return type;
}

std::uint32_t DescriptorReader::return_slots() const noexcept {
  if (!ok_ || rest_ == "V") return 0;
  return slots_of(rest_.front());
}

}  // namespace copse::classfile
