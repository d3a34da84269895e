// A small assembler for class files in tests: constants, fields, and methods of raw bytes.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_writer.h"
#include "classfile/instruction_list.h"

namespace copse::classfile {

using Bytes = std::vector<std::uint8_t>;

inline Bytes big_endian(std::initializer_list<std::uint32_t> u2_values) {
  ByteWriter out;
  for (const std::uint32_t value : u2_values) out.u2(value);
  return std::move(out).take();
}

struct RawAttribute {
  std::string name;
  Bytes content;
};

struct MethodSpec {
  std::uint16_t access = 0x0009;  // public static
  std::string name = "m";
  std::string descriptor = "()V";
  std::uint16_t max_stack = 2;
  std::uint16_t max_locals = 0;
  Bytes code = {};
  std::vector<ExceptionRange> ranges = {};
  std::vector<RawAttribute> parts = {};  // of the Code attribute
};

class ClassBuilder {
 public:
  explicit ClassBuilder(std::uint16_t version = 52, std::string_view name = "pkg/Test",
                        std::string_view super_name = "java/lang/Object")
      : version_(version) {
    this_class_ = type(name);
    super_class_ = super_name.empty() ? std::uint16_t{0} : type(super_name);
  }

  std::uint16_t utf8(std::string_view text) {
    pool_.u1(1);
    pool_.u2(static_cast<std::uint32_t>(text.size()));
    pool_.bytes({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    return count_++;
  }
  std::uint16_t type(std::string_view name) { return pair(7, utf8(name)); }
  std::uint16_t string(std::string_view text) { return pair(8, utf8(text)); }
  std::uint16_t field(std::string_view owner, std::string_view name, std::string_view descriptor) {
    return member(9, owner, name, descriptor);
  }
  std::uint16_t method(std::string_view owner, std::string_view name, std::string_view descriptor) {
    return member(10, owner, name, descriptor);
  }
  std::uint16_t interface_method(std::string_view owner, std::string_view name,
                                 std::string_view descriptor) {
    return member(11, owner, name, descriptor);
  }
  std::uint16_t name_and_type(std::string_view name, std::string_view descriptor) {
    const std::uint16_t name_index = utf8(name);
    const std::uint16_t descriptor_index = utf8(descriptor);
    pool_.u1(12);
    pool_.u2(name_index);
    pool_.u2(descriptor_index);
    return count_++;
  }
  std::uint16_t invoke_dynamic(std::string_view name, std::string_view descriptor) {
    return dynamic(18, name, descriptor);
  }
  std::uint16_t constant_dynamic(std::string_view name, std::string_view descriptor) {
    return dynamic(17, name, descriptor);
  }
  std::uint16_t long_constant(std::uint64_t value) {
    pool_.u1(5);
    pool_.u4(static_cast<std::uint32_t>(value >> 32));
    pool_.u4(static_cast<std::uint32_t>(value));
    count_ += 2;
    return static_cast<std::uint16_t>(count_ - 2);
  }
  // Adds unused constants, to push later ones behind index 255 or fill the pool.
  void pad_pool(std::uint32_t constants) {
    for (; constants > 0; --constants) {
      pool_.u1(3);
      pool_.u4(constants);
      ++count_;
    }
  }
  std::uint16_t pool_count() const { return count_; }
  std::uint16_t this_class() const { return this_class_; }

  void add_field(std::string_view name, std::string_view descriptor) {
    const std::uint16_t name_index = utf8(name);
    const std::uint16_t descriptor_index = utf8(descriptor);
    fields_.u2(0x0008);
    fields_.u2(name_index);
    fields_.u2(descriptor_index);
    fields_.u2(0);
    ++field_count_;
  }

  void add(const MethodSpec& spec) {
    const std::uint16_t name = utf8(spec.name);
    const std::uint16_t descriptor = utf8(spec.descriptor);
    const std::uint16_t code_name = utf8("Code");
    ByteWriter code;
    code.u2(spec.max_stack);
    code.u2(spec.max_locals);
    code.u4(static_cast<std::uint32_t>(spec.code.size()));
    code.bytes(spec.code);
    code.u2(static_cast<std::uint32_t>(spec.ranges.size()));
    for (const ExceptionRange& range : spec.ranges) {
      code.u2(range.start);
      code.u2(range.end);
      code.u2(range.handler);
      code.u2(range.catch_type);
    }
    code.u2(static_cast<std::uint32_t>(spec.parts.size()));
    for (const RawAttribute& part : spec.parts) {
      code.u2(utf8(part.name));
      code.u4(static_cast<std::uint32_t>(part.content.size()));
      code.bytes(part.content);
    }
    methods_.u2(spec.access);
    methods_.u2(name);
    methods_.u2(descriptor);
    methods_.u2(1);
    methods_.u2(code_name);
    methods_.u4(static_cast<std::uint32_t>(code.size()));
    methods_.bytes(code.view());
    ++method_count_;
  }

  // Adds an attribute of the class.
  void add_attribute(std::string_view name, const Bytes& content) {
    attributes_.u2(utf8(name));
    attributes_.u4(static_cast<std::uint32_t>(content.size()));
    attributes_.bytes(content);
    ++attribute_count_;
  }

  Bytes build() const {
    ByteWriter out;
    out.u4(0xCAFEBABE);
    out.u2(0);
    out.u2(version_);
    out.u2(count_);
    out.bytes(pool_.view());
    out.u2(0x0021);
    out.u2(this_class_);
    out.u2(super_class_);
    out.u2(0);
    out.u2(field_count_);
    out.bytes(fields_.view());
    out.u2(method_count_);
    out.bytes(methods_.view());
    out.u2(attribute_count_);
    out.bytes(attributes_.view());
    return std::move(out).take();
  }

 private:
  std::uint16_t pair(std::uint8_t tag, std::uint16_t index) {
    pool_.u1(tag);
    pool_.u2(index);
    return count_++;
  }
  std::uint16_t dynamic(std::uint8_t tag, std::string_view name, std::string_view descriptor) {
    const std::uint16_t type_index = name_and_type(name, descriptor);
    pool_.u1(tag);
    pool_.u2(0);
    pool_.u2(type_index);
    return count_++;
  }
  std::uint16_t member(std::uint8_t tag, std::string_view owner, std::string_view name,
                       std::string_view descriptor) {
    const std::uint16_t owner_index = type(owner);
    const std::uint16_t type_index = name_and_type(name, descriptor);
    pool_.u1(tag);
    pool_.u2(owner_index);
    pool_.u2(type_index);
    return count_++;
  }

  std::uint16_t version_;
  std::uint16_t this_class_ = 0;
  std::uint16_t super_class_ = 0;
  std::uint16_t count_ = 1;
  std::uint16_t field_count_ = 0;
  std::uint16_t method_count_ = 0;
  std::uint16_t attribute_count_ = 0;
  ByteWriter pool_;
  ByteWriter fields_;
  ByteWriter methods_;
  ByteWriter attributes_;
};

}  // namespace copse::classfile
