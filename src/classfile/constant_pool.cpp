#include "classfile/constant_pool.h"

namespace copse::classfile {
namespace {

constexpr std::uint32_t kMaxCount = 65535;
constexpr std::size_t kMaxUtf8Bytes = 65535;

std::uint16_t u2_at(const std::uint8_t* at) noexcept {
  return static_cast<std::uint16_t>(at[0] << 8 | at[1]);
}

// Bytes behind the tag of an entry of fixed size; 0: Utf8 or unknown.
std::size_t payload_bytes(std::uint8_t tag) noexcept {
  switch (ConstantTag{tag}) {
    case ConstantTag::kClass:
    case ConstantTag::kString:
    case ConstantTag::kMethodType:
    case ConstantTag::kModule:
    case ConstantTag::kPackage:
      return 2;
    case ConstantTag::kMethodHandle:
      return 3;
    case ConstantTag::kInteger:
    case ConstantTag::kFloat:
    case ConstantTag::kFieldref:
    case ConstantTag::kMethodref:
    case ConstantTag::kInterfaceMethodref:
    case ConstantTag::kNameAndType:
    case ConstantTag::kDynamic:
    case ConstantTag::kInvokeDynamic:
      return 4;
    case ConstantTag::kLong:
    case ConstantTag::kDouble:
      return 8;
    case ConstantTag::kUtf8:
      break;
  }
  return 0;
}

bool takes_two_slots(std::uint8_t tag) noexcept {
  return tag == static_cast<std::uint8_t>(ConstantTag::kLong) ||
         tag == static_cast<std::uint8_t>(ConstantTag::kDouble);
}

}  // namespace

bool ConstantPool::parse(std::span<const std::uint8_t> class_bytes, ByteReader& in) {
  bytes_ = class_bytes;
  count_ = in.u2();
  const std::size_t begin = in.position();
  if (!in.ok() || count_ == 0) return false;
  offsets_.assign(count_, 0);
  for (std::uint32_t index = 1; index < count_; ++index) {
    offsets_[index] = static_cast<std::uint32_t>(in.position());
    const std::uint8_t tag = in.u1();
    if (tag == static_cast<std::uint8_t>(ConstantTag::kUtf8)) {
      in.skip(in.u2());
    } else {
      const std::size_t payload = payload_bytes(tag);
      if (payload == 0) return false;
      in.skip(payload);
      if (takes_two_slots(tag) && ++index >= count_) return false;
    }
    if (!in.ok()) return false;
  }
  original_ = bytes_.subspan(begin, in.position() - begin);
  return true;
}

const std::uint8_t* ConstantPool::entry(std::uint16_t index, ConstantTag expected) const noexcept {
  if (index >= offsets_.size() || offsets_[index] == 0) return nullptr;
  const std::uint8_t* at = bytes_.data() + offsets_[index];
  return *at == static_cast<std::uint8_t>(expected) ? at + 1 : nullptr;
}

std::optional<ConstantTag> ConstantPool::tag(std::uint16_t index) const noexcept {
  if (index >= offsets_.size() || offsets_[index] == 0) return std::nullopt;
  return ConstantTag{bytes_[offsets_[index]]};
}

std::optional<std::string_view> ConstantPool::utf8(std::uint16_t index) const noexcept {
  const std::uint8_t* at = entry(index, ConstantTag::kUtf8);
  if (at == nullptr) return std::nullopt;
  return std::string_view(reinterpret_cast<const char*>(at + 2), u2_at(at));
}

std::optional<std::string_view> ConstantPool::class_name(std::uint16_t index) const noexcept {
  const std::uint8_t* at = entry(index, ConstantTag::kClass);
  return at == nullptr ? std::nullopt : utf8(u2_at(at));
}

std::optional<MemberView> ConstantPool::member(std::uint16_t index) const noexcept {
  const auto kind = tag(index);
  if (!kind) return std::nullopt;
  MemberView member;
  switch (*kind) {
    case ConstantTag::kInterfaceMethodref:
      member.interface_owner = true;
      [[fallthrough]];
    case ConstantTag::kFieldref:
    case ConstantTag::kMethodref: {
      const auto owner = class_name(u2_at(bytes_.data() + offsets_[index] + 1));
      if (!owner) return std::nullopt;
      member.owner = *owner;
      break;
    }
    case ConstantTag::kInvokeDynamic:
      break;
    default:
      return std::nullopt;
  }
  const auto named = name_and_type(u2_at(bytes_.data() + offsets_[index] + 3));
  if (!named) return std::nullopt;
  member.name = named->name;
  member.descriptor = named->descriptor;
  return member;
}

std::optional<MemberView> ConstantPool::name_and_type(std::uint16_t index) const noexcept {
  const std::uint8_t* at = entry(index, ConstantTag::kNameAndType);
  if (at == nullptr) return std::nullopt;
  const auto name = utf8(u2_at(at));
  const auto descriptor = utf8(u2_at(at + 2));
  if (!name || !descriptor) return std::nullopt;
  MemberView view;
  view.name = *name;
  view.descriptor = *descriptor;
  return view;
}

AttributeView ConstantPool::attribute(ByteReader& in) const noexcept {
  const auto name = utf8(in.u2());
  const std::uint32_t length = in.u4();
  return {name.value_or(""), in.bytes(length)};
}

std::span<const std::uint8_t> ConstantPool::body(std::uint16_t index) const noexcept {
  const auto kind = tag(index);
  if (!kind) return {};
  return bytes_.subspan(offsets_[index] + std::size_t{1},
                        payload_bytes(static_cast<std::uint8_t>(*kind)));
}

std::uint16_t ConstantPool::append(std::uint32_t slots) {
  if (count_ + slots > kMaxCount) return 0;
  const auto index = static_cast<std::uint16_t>(count_);
  count_ += slots;
  return index;
}

std::uint16_t ConstantPool::add_utf8(std::string_view text) {
  std::string key(text);
  if (const auto found = added_utf8_.find(key); found != added_utf8_.end()) return found->second;
  if (text.size() > kMaxUtf8Bytes) return 0;
  const std::uint16_t index = append(1);
  if (index == 0) return 0;
  added_.u1(static_cast<std::uint8_t>(ConstantTag::kUtf8));
  added_.u2(static_cast<std::uint32_t>(text.size()));
  added_.bytes({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  added_utf8_.emplace(std::move(key), index);
  return index;
}

void ConstantPool::index_classes() {
  classes_indexed_ = true;
  for (std::size_t index = 1; index < offsets_.size(); ++index) {
    const auto name = class_name(static_cast<std::uint16_t>(index));
    if (name) classes_.emplace(*name, static_cast<std::uint16_t>(index));
  }
}

std::uint16_t ConstantPool::add_class(std::string_view name) {
  if (!classes_indexed_) index_classes();
  if (const auto found = classes_.find(name); found != classes_.end()) return found->second;
  std::string key(name);
  if (const auto found = added_classes_.find(key); found != added_classes_.end()) {
    return found->second;
  }
  const std::uint16_t text = add_utf8(name);
  const std::uint16_t index = text == 0 ? std::uint16_t{0} : append(1);
  if (index == 0) return 0;
  added_.u1(static_cast<std::uint8_t>(ConstantTag::kClass));
  added_.u2(text);
  added_classes_.emplace(std::move(key), index);
  return index;
}

std::uint16_t ConstantPool::add_integer(std::int32_t value) {
  if (const auto found = added_integers_.find(value); found != added_integers_.end()) {
    return found->second;
  }
  const std::uint16_t index = append(1);
  if (index == 0) return 0;
  added_.u1(static_cast<std::uint8_t>(ConstantTag::kInteger));
  added_.u4(static_cast<std::uint32_t>(value));
  added_integers_.emplace(value, index);
  return index;
}

std::uint16_t ConstantPool::add_long(std::int64_t value) {
  if (const auto found = added_longs_.find(value); found != added_longs_.end()) {
    return found->second;
  }
  const std::uint16_t index = append(2);
  if (index == 0) return 0;
  added_.u1(static_cast<std::uint8_t>(ConstantTag::kLong));
  added_.u4(static_cast<std::uint32_t>(static_cast<std::uint64_t>(value) >> 32));
  added_.u4(static_cast<std::uint32_t>(value));
  added_longs_.emplace(value, index);
  return index;
}

std::uint16_t ConstantPool::add_method(std::string_view owner, std::string_view name,
                                       std::string_view descriptor) {
  std::string key;
  key.reserve(owner.size() + name.size() + descriptor.size() + 2);
  key.append(owner).append(1, '.').append(name).append(1, ':').append(descriptor);
  if (const auto found = added_methods_.find(key); found != added_methods_.end()) {
    return found->second;
  }
  const std::uint16_t owner_index = add_class(owner);
  const std::uint16_t name_index = add_utf8(name);
  const std::uint16_t descriptor_index = add_utf8(descriptor);
  if (owner_index == 0 || name_index == 0 || descriptor_index == 0) return 0;
  const std::uint16_t name_and_type = append(1);
  if (name_and_type == 0) return 0;
  added_.u1(static_cast<std::uint8_t>(ConstantTag::kNameAndType));
  added_.u2(name_index);
  added_.u2(descriptor_index);
  const std::uint16_t index = append(1);
  if (index == 0) return 0;
  added_.u1(static_cast<std::uint8_t>(ConstantTag::kMethodref));
  added_.u2(owner_index);
  added_.u2(name_and_type);
  added_methods_.emplace(std::move(key), index);
  return index;
}

}  // namespace copse::classfile
