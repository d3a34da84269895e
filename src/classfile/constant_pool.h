// The constant pool: checked look-ups in the class's own constants, and new constants behind them.
//
// Existing constants are never renumbered, so code copied from the class stays right. Views point
// into the class's bytes. Memory: four bytes per constant plus the additions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/byte_reader.h"
#include "base/byte_writer.h"

namespace copse::classfile {

// First four bytes of a class file; the pool follows behind the version.
inline constexpr std::uint32_t kClassFileMagic = 0xCAFEBABE;

enum class ConstantTag : std::uint8_t {
  kUtf8 = 1,
  kInteger = 3,
  kFloat = 4,
  kLong = 5,
  kDouble = 6,
  kClass = 7,
  kString = 8,
  kFieldref = 9,
  kMethodref = 10,
  kInterfaceMethodref = 11,
  kNameAndType = 12,
  kMethodHandle = 15,
  kMethodType = 16,
  kDynamic = 17,
  kInvokeDynamic = 18,
  kModule = 19,
  kPackage = 20,
};

// A field or method reference, or the name and type of an invokedynamic (owner "").
struct MemberView {
  std::string_view owner;
  std::string_view name;
  std::string_view descriptor;
  bool interface_owner = false;
};

// An attribute of a class, field or method.
struct AttributeView {
  std::string_view name;  // "" if it is no constant of the pool
  std::span<const std::uint8_t> body;
};

class ConstantPool {
 public:
  // Reads the pool of `class_bytes`, which must outlive it. `in` stands at constant_pool_count and
  // is moved behind the pool. Returns false if malformed.
  bool parse(std::span<const std::uint8_t> class_bytes, ByteReader& in);

  // Return std::nullopt if there is no such constant, or it is of another kind.
  std::optional<ConstantTag> tag(std::uint16_t index) const noexcept;
  std::optional<std::string_view> utf8(std::uint16_t index) const noexcept;
  std::optional<std::string_view> class_name(std::uint16_t index) const noexcept;
  std::optional<MemberView> member(std::uint16_t index) const noexcept;
  std::optional<MemberView> name_and_type(std::uint16_t index) const noexcept;  // owner ""
  // Reads the attribute at which `in` stands, and moves `in` behind it.
  AttributeView attribute(ByteReader& in) const noexcept;
  // Returns the bytes behind the tag; empty for a Utf8, or without such a constant.
  std::span<const std::uint8_t> body(std::uint16_t index) const noexcept;

  // Return the index of an equal constant, made if need be; 0 when the pool is full. Class
  // constants of the class itself are found too; other kinds only if added here.
  std::uint16_t add_utf8(std::string_view text);
  std::uint16_t add_class(std::string_view name);
  std::uint16_t add_integer(std::int32_t value);
  std::uint16_t add_long(std::int64_t value);
  std::uint16_t add_method(std::string_view owner, std::string_view name,
                           std::string_view descriptor);

  std::uint32_t count() const noexcept { return count_; }  // constant_pool_count, with additions
  std::span<const std::uint8_t> original() const noexcept { return original_; }
  std::span<const std::uint8_t> added() const noexcept { return added_.view(); }

 private:
  const std::uint8_t* entry(std::uint16_t index, ConstantTag expected) const noexcept;
  std::uint16_t append(std::uint32_t slots);  // index of the new constant; 0: no room
  void index_classes();

  std::span<const std::uint8_t> bytes_;
  std::span<const std::uint8_t> original_;  // the entries as they were
  std::vector<std::uint32_t> offsets_;      // of each tag byte; 0: unusable index
  std::uint32_t count_ = 0;

  ByteWriter added_;
  std::unordered_map<std::string, std::uint16_t> added_utf8_;
  std::unordered_map<std::string, std::uint16_t> added_classes_;
  std::unordered_map<std::int32_t, std::uint16_t> added_integers_;
  std::unordered_map<std::int64_t, std::uint16_t> added_longs_;
  std::unordered_map<std::string, std::uint16_t> added_methods_;  // owner.name:descriptor
  std::unordered_map<std::string_view, std::uint16_t> classes_;   // the class's own
  bool classes_indexed_ = false;
};

}  // namespace copse::classfile
