#include "classfile/class_summary.h"

#include <algorithm>

#include "base/byte_reader.h"
#include "classfile/opcodes.h"

namespace copse::classfile {
namespace {

constexpr std::string_view kIntrinsicCandidate = "Ljdk/internal/vm/annotation/IntrinsicCandidate;";

class Summarizer {
 public:
  Summarizer(std::span<const std::uint8_t> bytes, const CodeVisitor& visit_code)
      : bytes_(bytes), in_(bytes), visit_code_(visit_code) {}

  Result<ClassSummary> run() {
    if (in_.u4() != kClassFileMagic) return malformed("no class file");
    in_.skip(2);  // minor version
    out_.major_version = in_.u2();
    if (!pool_.parse(bytes_, in_)) return malformed("constant pool");
    out_.access = in_.u2();
    const auto name = pool_.class_name(in_.u2());
    if (!name) return malformed("class name");
    out_.name = *name;
    if (const std::uint16_t super = in_.u2(); super != 0) {
      const auto super_name = pool_.class_name(super);
      if (!super_name) return malformed("super class");
      out_.super_name = *super_name;
    }
    for (int left = in_.u2(); left > 0 && in_.ok(); --left) {
      const auto type = pool_.class_name(in_.u2());
      if (!type) return malformed("interfaces");
      out_.interfaces.emplace_back(*type);
    }
    for (int left = in_.u2(); left > 0 && in_.ok(); --left) {  // fields
      in_.skip(6);
      for (int attributes = in_.u2(); attributes > 0 && in_.ok(); --attributes)
        pool_.attribute(in_);
    }
    for (int left = in_.u2(); left > 0 && in_.ok(); --left) {
      if (!read_method()) return malformed("method");
    }
    for (int left = in_.u2(); left > 0 && in_.ok(); --left) {
      const AttributeView attribute = pool_.attribute(in_);
      if (attribute.name != "SourceFile" || attribute.body.size() != 2) continue;
      ByteReader body(attribute.body);
      if (const auto source = pool_.utf8(body.u2())) out_.source_file = *source;
    }
    if (!in_.ok()) return malformed("cut off");
    return std::move(out_);
  }

 private:
  static Result<ClassSummary> malformed(const char* what) {
    return Result<ClassSummary>::error(Fault::kMalformed,
                                       std::string("malformed class file: ") + what);
  }

  bool read_method() {
    MethodSummary& method = out_.methods.emplace_back();
    method.access = in_.u2();
    method.may_lock = (method.access & kAccSynchronized) != 0;
    const auto name = pool_.utf8(in_.u2());
    const auto descriptor = pool_.utf8(in_.u2());
    if (!name || !descriptor || name->empty()) return false;
    method.name = *name;
    method.descriptor = *descriptor;
    for (int left = in_.u2(); left > 0 && in_.ok(); --left) {
      const AttributeView attribute = pool_.attribute(in_);
      if (attribute.name == "Code") {
        method.may_have_calls =
            std::any_of(attribute.body.begin(), attribute.body.end(), is_invoke);
        method.may_lock |=
            std::ranges::find(attribute.body, opcode::kMonitorenter) != attribute.body.end();
        if (in_.ok() && visit_code_ && !visit_code_(out_, pool_, attribute.body)) return false;
      } else if (attribute.name == "RuntimeVisibleAnnotations") {
        method.intrinsic_candidate = names_intrinsic(attribute.body);
      }
    }
    return in_.ok();
  }

  // The annotation has no elements, and the JDK's methods carry few others: the types are looked
  // for at every offset instead of decoding element values.
  bool names_intrinsic(std::span<const std::uint8_t> annotations) const {
    for (std::size_t i = 2; i + 4 <= annotations.size(); ++i) {
      const bool no_elements = annotations[i + 2] == 0 && annotations[i + 3] == 0;
      const auto type = static_cast<std::uint16_t>(annotations[i] << 8 | annotations[i + 1]);
      if (no_elements && pool_.utf8(type) == kIntrinsicCandidate) return true;
    }
    return false;
  }

  std::span<const std::uint8_t> bytes_;
  ByteReader in_;
  const CodeVisitor& visit_code_;
  ConstantPool pool_;
  ClassSummary out_;
};

}  // namespace

Result<ClassSummary> summarize(std::span<const std::uint8_t> class_bytes,
                               const CodeVisitor& visit_code) {
  return Summarizer(class_bytes, visit_code).run();
}

}  // namespace copse::classfile
