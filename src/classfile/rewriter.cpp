#include "classfile/rewriter.h"

#include <algorithm>
#include <utility>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "classfile/constant_pool.h"
#include "classfile/method_rewriter.h"

namespace copse::classfile {
namespace {

constexpr std::uint16_t kFirstVersion = 45;
constexpr std::uint16_t kPreviewFeatures = 65535;  // minor version
constexpr std::uint32_t kMaxFields = 65535;

// Stack maps of real classes grow by a small factor; hostile ones could ask for 65,535 bytes a
// frame.
constexpr std::size_t stack_map_budget(std::size_t class_bytes) {
  return (std::size_t{1} << 20) + 32 * class_bytes;
}

class ClassRewriter {
 public:
  ClassRewriter(std::span<const std::uint8_t> bytes, ProbeSet& probes)
      : bytes_(bytes),
        in_(bytes),
        methods_(pool_, class_, probes, stack_map_budget(bytes.size())) {}

  Result<Rewritten> run(std::span<const NewField> new_fields);

 private:
  Status read_header();
  bool read_fields();
  Status rewrite_methods();
  Status rewrite_method();
  bool skip_attributes();
  Status add_fields(std::span<const NewField> new_fields);
  std::vector<std::uint8_t> assemble() const;

  Status failure(std::string_view why) const {
    const std::string_view name = class_.name.empty() ? "class file" : class_.name;
    return Status::error(Fault::kMalformed, std::string(name) + ": " + std::string(why));
  }
  Status malformed(std::string_view what) const {
    return failure(std::string(reason_text(SkipReason::kMalformed)) + " (" + std::string(what) +
                   ")");
  }

  std::span<const std::uint8_t> bytes_;
  ByteReader in_;
  ConstantPool pool_;
  ClassView class_;
  bool may_be_unknown_ = false;  // what looks malformed may be newer than these rules
  std::uint32_t field_count_ = 0;
  std::size_t after_pool_ = 0;  // where access_flags stand
  std::size_t field_count_at_ = 0;
  std::size_t methods_at_ = 0;  // where methods_count stands
  ByteWriter added_fields_;
  std::uint32_t added_field_count_ = 0;
  ByteWriter new_methods_;        // the methods from the first changed one on
  std::size_t copied_until_ = 0;  // input up to here is in new_methods_ or precedes it
  std::size_t first_change_ = 0;  // where new_methods_ begins in the input
  MethodRewriter methods_;
  Rewritten result_;
};

Status ClassRewriter::read_header() {
  if (in_.u4() != kClassFileMagic) return malformed("no magic number");
  const std::uint16_t minor_version = in_.u2();
  class_.major_version = in_.u2();
  may_be_unknown_ = class_.major_version > kLastKnownVersion || minor_version == kPreviewFeatures;
  if (!in_.ok()) return malformed("header");
  if (!is_supported_version(class_.major_version)) {
    return failure(std::string(reason_text(SkipReason::kUnsupportedVersion)) + " (" +
                   std::to_string(class_.major_version) + ")");
  }
  if (!pool_.parse(bytes_, in_)) return malformed("constant pool");
  after_pool_ = in_.position();
  class_.access = in_.u2();
  class_.this_class = in_.u2();
  const std::uint16_t super_class = in_.u2();
  in_.skip(2u * in_.u2());  // interfaces
  if (!in_.ok()) return malformed("header");
  const auto name = pool_.class_name(class_.this_class);
  const auto super_name = pool_.class_name(super_class);
  if (!name || (!super_name && super_class != 0)) return malformed("class name");
  class_.name = *name;
  class_.super_name = super_name.value_or(std::string_view());
  return {};
}

bool ClassRewriter::skip_attributes() {
  const std::uint32_t count = in_.u2();
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto name = pool_.utf8(in_.u2());
    const std::uint32_t length = in_.u4();
    in_.skip(length);
    if (!name) return false;  // also past the end of the input
  }
  return in_.ok();
}

bool ClassRewriter::read_fields() {
  field_count_at_ = in_.position();
  field_count_ = in_.u2();
  for (std::uint32_t i = 0; i < field_count_; ++i) {
    in_.skip(2);
    const auto name = pool_.utf8(in_.u2());
    const auto descriptor = pool_.utf8(in_.u2());
    if (!name || !descriptor || !skip_attributes()) return false;
    class_.field_names.push_back(*name);
  }
  std::sort(class_.field_names.begin(), class_.field_names.end());
  return in_.ok();
}

// Reads one method, and if its code changes writes it, preceded by what was not yet copied.
Status ClassRewriter::rewrite_method() {
  MethodHeader header;
  header.access = in_.u2();
  const auto name = pool_.utf8(in_.u2());
  const auto descriptor = pool_.utf8(in_.u2());
  if (!name || !descriptor) return malformed("method");
  header.name = *name;
  header.descriptor = *descriptor;
  const std::uint32_t attributes = in_.u2();
  for (std::uint32_t i = 0; i < attributes; ++i) {
    const auto attribute = pool_.utf8(in_.u2());
    const std::size_t length_at = in_.position();
    const std::uint32_t length = in_.u4();
    const auto content = in_.bytes(length);
    if (!in_.ok() || !attribute) return malformed("method attribute");
    if (*attribute != "Code") continue;

    if (result_.changed) {
      new_methods_.bytes(bytes_.subspan(copied_until_, length_at - copied_until_));
      copied_until_ = length_at;
    }
    const std::size_t keep = new_methods_.size();
    new_methods_.u4(0);
    const MethodOutcome outcome = methods_.rewrite(header, content, new_methods_);
    if (outcome == MethodOutcome::kRewritten) {
      result_.has_bare_handlers |= methods_.has_bare_handlers();
      new_methods_.patch_u4(keep, static_cast<std::uint32_t>(new_methods_.size() - keep - 4));
      if (!result_.changed) first_change_ = length_at;
      result_.changed = true;
      copied_until_ = in_.position();
      continue;
    }
    new_methods_.truncate(keep);
    if (methods_.misuse() != nullptr) return failure(methods_.misuse());
    if (outcome == MethodOutcome::kMalformed && may_be_unknown_) {
      result_.skipped.push_back(
          {std::string(header.name), std::string(header.descriptor), SkipReason::kUnknownCode});
    } else if (outcome == MethodOutcome::kMalformed) {
      return malformed("code of " + std::string(header.name) + std::string(header.descriptor));
    }
    if (outcome == MethodOutcome::kSkipped) {
      result_.skipped.push_back(
          {std::string(header.name), std::string(header.descriptor), methods_.skip_reason()});
    }
  }
  return {};
}

Status ClassRewriter::rewrite_methods() {
  methods_at_ = in_.position();
  const std::uint32_t count = in_.u2();
  for (std::uint32_t i = 0; i < count; ++i) {
    Status status = rewrite_method();
    if (!status.ok()) return status;
  }
  if (!skip_attributes() || !in_.at_end()) return malformed("attributes");
  return {};
}

Status ClassRewriter::add_fields(std::span<const NewField> new_fields) {
  for (const NewField& field : new_fields) {
    const std::uint16_t name = pool_.add_utf8(field.name);
    const std::uint16_t descriptor = pool_.add_utf8(field.descriptor);
    ++added_field_count_;
    if (name == 0 || descriptor == 0 || field_count_ + added_field_count_ > kMaxFields) {
      return failure(reason_text(SkipReason::kConstantPoolFull));
    }
    added_fields_.u2(0);  // package private
    added_fields_.u2(name);
    added_fields_.u2(descriptor);
    added_fields_.u2(0);  // no attributes
  }
  return {};
}

std::vector<std::uint8_t> ClassRewriter::assemble() const {
  constexpr std::size_t kVersionEnd = 8;
  const std::size_t rest = new_methods_.size() == 0 ? methods_at_ : first_change_;
  const std::size_t tail = new_methods_.size() == 0 ? methods_at_ : copied_until_;
  ByteWriter out;
  out.reserve(bytes_.size() + pool_.added().size() + added_fields_.size() + new_methods_.size());
  out.bytes(bytes_.first(kVersionEnd));
  out.u2(pool_.count());
  out.bytes(pool_.original());
  out.bytes(pool_.added());
  out.bytes(bytes_.subspan(after_pool_, field_count_at_ - after_pool_));
  out.u2(field_count_ + added_field_count_);
  out.bytes(bytes_.subspan(field_count_at_ + 2, methods_at_ - field_count_at_ - 2));
  out.bytes(added_fields_.view());
  out.bytes(bytes_.subspan(methods_at_, rest - methods_at_));
  out.bytes(new_methods_.view());
  out.bytes(bytes_.subspan(tail));
  return std::move(out).take();
}

Result<Rewritten> ClassRewriter::run(std::span<const NewField> new_fields) {
  if (Status status = read_header(); !status.ok()) return status;
  if (!read_fields()) return malformed("fields");
  if (Status status = rewrite_methods(); !status.ok()) return status;
  if (Status status = add_fields(new_fields); !status.ok()) return status;
  if (!new_fields.empty()) result_.changed = true;
  if (result_.changed) result_.bytes = assemble();
  return std::move(result_);
}

}  // namespace

bool is_supported_version(std::uint16_t major_version) { return major_version >= kFirstVersion; }

std::string_view reason_text(SkipReason reason) {
  switch (reason) {
    case SkipReason::kCodeTooLarge:
      return "code would exceed a limit of the class-file format";
    case SkipReason::kHugeMethod:
      return "code would pass 8,000 bytes and no longer be compiled";
    case SkipReason::kJsrRet:
      return "code uses subroutines (jsr, ret)";
    case SkipReason::kConstantPoolFull:
      return "constant pool is full";
    case SkipReason::kStackMapTooLarge:
      return "stack map would grow beyond reason";
    case SkipReason::kUnknownStackMap:
      return "stack map has frames that Copse does not know";
    case SkipReason::kUnknownCode:
      return "code is of a kind that Copse does not know (newer class file, or preview features)";
    case SkipReason::kUnsupportedVersion:
      return "class-file version is not supported";
    case SkipReason::kMalformed:
      return "malformed class file";
  }
  return "unknown reason";
}

Result<Rewritten> rewrite(std::span<const std::uint8_t> class_bytes, ProbeSet& probes,
                          std::span<const NewField> new_fields) {
  return ClassRewriter(class_bytes, probes).run(new_fields);
}

}  // namespace copse::classfile
