// Reads back a method's Code attribute, for tests.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_reader.h"
#include "classfile/code_attribute.h"

namespace copse::classfile {

struct ReadMethod {
  std::string name;
  CodeAttribute code;  // views into the class's bytes
};

struct ReadClass {
  ConstantPool pool;
  std::vector<std::string> fields;
  std::vector<ReadMethod> methods;  // those with code

  const CodeAttribute* code_of(std::string_view name) const {
    for (const ReadMethod& method : methods) {
      if (method.name == name) return &method.code;
    }
    return nullptr;
  }
  std::span<const std::uint8_t> part(std::string_view method, std::string_view name) const {
    if (const CodeAttribute* code = code_of(method)) {
      for (const CodePart& candidate : code->parts) {
        if (pool.utf8(candidate.name_index) == name) return candidate.content;
      }
    }
    return {};
  }
};

// Returns std::nullopt if not a well-formed class file. `bytes` must outlive the result.
inline std::optional<ReadClass> read_class(std::span<const std::uint8_t> bytes) {
  ReadClass result;
  ByteReader in(bytes);
  if (in.u4() != 0xCAFEBABE) return std::nullopt;
  in.skip(4);
  if (!result.pool.parse(bytes, in)) return std::nullopt;
  in.skip(6);
  in.skip(2u * in.u2());
  for (const bool is_method : {false, true}) {
    for (int left = in.u2(); left > 0 && in.ok(); --left) {
      in.skip(2);
      const auto name = result.pool.utf8(in.u2());
      const auto descriptor = result.pool.utf8(in.u2());
      if (!name || !descriptor) return std::nullopt;
      if (!is_method) result.fields.emplace_back(*name);
      for (int attributes = in.u2(); attributes > 0 && in.ok(); --attributes) {
        const auto attribute = result.pool.utf8(in.u2());
        const auto content = in.bytes(in.u4());
        if (!attribute) return std::nullopt;
        if (!is_method || *attribute != "Code") continue;
        ReadMethod method{std::string(*name), {}};
        if (!method.code.parse(content, result.pool)) return std::nullopt;
        InstructionList instructions;
        if (!instructions.decode(method.code.code, method.code.ranges)) return std::nullopt;
        result.methods.push_back(std::move(method));
      }
    }
  }
  for (int left = in.u2(); left > 0 && in.ok(); --left) {
    in.skip(2);
    in.skip(in.u4());
  }
  if (!in.ok() || !in.at_end()) return std::nullopt;
  return result;
}

}  // namespace copse::classfile
