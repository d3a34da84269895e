#include "classfile/code_attribute.h"

#include <string_view>

#include "base/byte_reader.h"

namespace copse::classfile {
namespace {

CodePartKind kind_of(std::string_view name) noexcept {
  if (name == "LineNumberTable") return CodePartKind::kLineNumbers;
  if (name == "StackMapTable") return CodePartKind::kStackMap;
  if (name == "LocalVariableTable" || name == "LocalVariableTypeTable") {
    return CodePartKind::kLocalVariables;
  }
  if (name == "RuntimeVisibleTypeAnnotations" || name == "RuntimeInvisibleTypeAnnotations") {
    return CodePartKind::kTypeAnnotations;
  }
  if (name == "StackMap") return CodePartKind::kObsolete;
  return CodePartKind::kOther;
}

}  // namespace

bool CodeAttribute::parse(std::span<const std::uint8_t> content, const ConstantPool& pool) {
  ByteReader in(content);
  max_stack = in.u2();
  max_locals = in.u2();
  const std::uint32_t code_length = in.u4();
  if (code_length == 0 || code_length > kMaxCodeBytes) return false;
  code = in.bytes(code_length);
  ranges.clear();
  const std::uint32_t range_count = in.u2();
  for (std::uint32_t i = 0; i < range_count && in.ok(); ++i) {
    const std::uint16_t start = in.u2();
    const std::uint16_t end = in.u2();
    const std::uint16_t handler = in.u2();
    ranges.push_back({start, end, handler, in.u2()});
  }
  parts.clear();
  const std::uint32_t part_count = in.u2();
  for (std::uint32_t i = 0; i < part_count && in.ok(); ++i) {
    const std::uint16_t name_index = in.u2();
    const auto name = pool.utf8(name_index);
    const std::uint32_t length = in.u4();
    const auto part = in.bytes(length);
    if (!name) return false;
    parts.push_back({name_index, kind_of(*name), part});
  }
  return in.ok() && in.at_end();
}

}  // namespace copse::classfile
