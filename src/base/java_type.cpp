#include "base/java_type.h"

#include <algorithm>
#include <array>
#include <utility>

namespace copse {
namespace {

constexpr std::array kPrimitives = {
    std::pair{"byte", 'B'},  std::pair{"char", 'C'}, std::pair{"double", 'D'},
    std::pair{"float", 'F'}, std::pair{"int", 'I'},  std::pair{"long", 'J'},
    std::pair{"short", 'S'}, std::pair{"void", 'V'}, std::pair{"boolean", 'Z'}};

std::string_view primitive(char wanted) {
  for (const auto& [name, letter] : kPrimitives) {
    if (letter == wanted && wanted != 'V') return name;
  }
  return {};
}

// Lambdas are numbered in the order in which a run meets them, by JDKs before 21.
std::string_view without_lambda_number(std::string_view name) {
  constexpr std::string_view kLambda = "$$Lambda$";
  const std::size_t at = name.rfind(kLambda);
  if (at == name.npos) return name;
  const std::size_t number = at + kLambda.size();
  const bool is_number = name.find_first_not_of("0123456789", number) == name.npos;
  return is_number ? name.substr(0, number - 1) : name;
}

}  // namespace

std::string take_java_type(std::string_view& descriptor) {
  const std::size_t dimensions = std::min(descriptor.find_first_not_of('['), descriptor.size());
  descriptor.remove_prefix(dimensions);
  if (descriptor.empty()) return {};
  std::string type(primitive(descriptor.front()));
  if (descriptor.front() == 'L') {
    const std::size_t end = descriptor.find(';');
    if (end == std::string_view::npos) return {};
    type = without_lambda_number(descriptor.substr(1, std::min(end, descriptor.find('.')) - 1));
    std::replace(type.begin(), type.end(), '/', '.');
    descriptor.remove_prefix(end);
  }
  if (type.empty()) return {};
  descriptor.remove_prefix(1);
  for (std::size_t i = 0; i < dimensions; ++i) type += "[]";
  return type;
}

std::string descriptor_of_type(std::string_view type) {
  std::string descriptor;
  while (type.ends_with("[]")) {
    descriptor += '[';
    type.remove_suffix(2);
  }
  for (const auto& [name, letter] : kPrimitives) {
    if (type == name) return descriptor + letter;
  }
  descriptor += 'L';
  descriptor += type;
  std::replace(descriptor.begin(), descriptor.end(), '.', '/');
  return descriptor + ';';
}

}  // namespace copse
