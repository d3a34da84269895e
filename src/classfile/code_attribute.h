// The Code attribute of a method, cut into its parts (JVMS 4.7.3).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "classfile/constant_pool.h"
#include "classfile/instruction_list.h"

namespace copse::classfile {

// Longest code of a method.
inline constexpr std::uint32_t kMaxCodeBytes = 65535;

enum class CodePartKind : std::uint8_t {
  kLineNumbers,
  kLocalVariables,  // LocalVariableTable and LocalVariableTypeTable: the same layout
  kStackMap,
  kTypeAnnotations,
  kObsolete,  // StackMap: frames of the CLDC and of old ASM, which no Java SE VM reads
  kOther,
};

struct CodePart {
  std::uint16_t name_index;
  CodePartKind kind;
  std::span<const std::uint8_t> content;
};

struct CodeAttribute {
  std::uint16_t max_stack = 0;
  std::uint16_t max_locals = 0;
  std::span<const std::uint8_t> code;
  std::vector<ExceptionRange> ranges;
  std::vector<CodePart> parts;

  // Replaces the content and keeps the vectors' memory. Returns false if malformed.
  bool parse(std::span<const std::uint8_t> content, const ConstantPool& pool);
};

}  // namespace copse::classfile
