#include "classfile/numbered_class.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/byte_reader.h"
#include "base/normal_names.h"
#include "classfile/code_attribute.h"
#include "classfile/constant_pool.h"
#include "classfile/instruction_list.h"
#include "classfile/opcodes.h"

namespace copse::classfile {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";
constexpr int kShownDigits = 12;
// Constants that are made of constants nest no deeper in class files of compilers, and are no more.
constexpr int kMostNesting = 4;
constexpr std::size_t kMostConstants = std::size_t{1} << 20;

// FNV-1a, which any language computes in two lines.
class Hash {
 public:
  void add(std::string_view text) {
    for (const char c : text) {
      value_ = (value_ ^ static_cast<std::uint8_t>(c)) * 0x100000001b3;
    }
  }
  std::string digits() const {
    std::string digits;
    for (int i = 0; i < kShownDigits; ++i) digits += kHexDigits[value_ >> (60 - 4 * i) & 15];
    return digits;
  }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

std::string hex_of(std::span<const std::uint8_t> bytes) {
  std::string hex;
  for (const std::uint8_t byte : bytes) {
    hex += kHexDigits[byte >> 4];
    hex += kHexDigits[byte & 15];
  }
  return hex;
}

class NumberedClass {
 public:
  NumberedClass(std::span<const std::uint8_t> bytes, std::string_view internal_name,
                std::string_view loader)
      : bytes_(bytes),
        in_(bytes),
        of_groovy_(loader.starts_with("groovy.lang.GroovyClassLoader")),
        name_(with_dots(internal_name)) {}

  // Nothing where the class file is malformed.
  std::optional<std::string> stable_name() {
    const std::string numberless = numberless_class(name_, of_groovy_);
    if (numberless == normal_class(name_)) return "";
    if (!read()) return std::nullopt;
    const std::string digits = hash_digits();
    if (!in_.ok() || is_malformed_) return std::nullopt;
    return numberless + '~' + enclosing_name_ + '~' + digits;
  }

  std::optional<CodeOfClass> codes() {
    if (!read()) return std::nullopt;
    CodeOfClass made{with_dots(own_name_), {}};
    for (const Method& method : methods_) {
      Hash hash;
      if (!method.code.empty()) add_code(method.code, hash);
      made.methods.push_back({method.name, method.descriptor, hash.digits()});
    }
    if (!in_.ok() || is_malformed_) return std::nullopt;
    return made;
  }

 private:
  struct Method {
    std::string name, descriptor;
    std::span<const std::uint8_t> code = {};  // attribute
  };

  static std::string with_dots(std::string_view internal) {
    std::string name(internal);
    std::ranges::replace(name, '/', '.');
    return name;
  }

  void skip_member() {
    in_.skip(6);
    for (int left = in_.u2(); left > 0 && in_.ok(); --left) pool_.attribute(in_);
  }

  bool read() {
    if (in_.u4() != kClassFileMagic) return false;
    in_.skip(4);  // version
    if (!pool_.parse(bytes_, in_)) return false;
    in_.skip(2);  // access
    own_name_ = std::string(pool_.class_name(in_.u2()).value_or(""));
    read_supertypes();
    for (int left = in_.u2(); left > 0 && in_.ok(); --left) skip_member();  // fields
    for (int left = in_.u2(); left > 0 && in_.ok(); --left) read_method();
    read_attributes();
    return true;
  }

  void read_supertypes() {
    types_.push_back("extends " + class_text(in_.u2()));
    for (int left = in_.u2(); left > 0 && in_.ok(); --left) {
      types_.push_back("implements " + class_text(in_.u2()));
    }
  }

  void read_method() {
    in_.skip(2);
    const auto name = pool_.utf8(in_.u2());
    const auto descriptor = pool_.utf8(in_.u2());
    is_malformed_ = is_malformed_ || !name || !descriptor;
    Method method{std::string(name.value_or("")), std::string(descriptor.value_or(""))};
    for (int left = in_.u2(); left > 0 && in_.ok(); --left) {
      if (const AttributeView attribute = pool_.attribute(in_); attribute.name == "Code") {
        method.code = attribute.body;
      }
    }
    methods_.push_back(std::move(method));
  }

  void read_attributes() {
    for (int left = in_.u2(); left > 0 && in_.ok(); --left) {
      const AttributeView attribute = pool_.attribute(in_);
      ByteReader body(attribute.body);
      if (attribute.name == "EnclosingMethod") {
        body.skip(2);
        is_enclosed_ = true;
        const auto method = pool_.name_and_type(body.u2());
        if (!method) continue;  // in an initialiser
        enclosing_name_ = normal_method(method->name);
        enclosing_descriptor_ = normal_descriptor(method->descriptor);
      } else if (attribute.name == "BootstrapMethods") {
        for (int more = body.u2(); more > 0 && body.ok(); --more) {
          std::vector<std::uint16_t>& bootstrap = bootstraps_.emplace_back();
          bootstrap.push_back(body.u2());
          for (int arguments = body.u2(); arguments > 0 && body.ok(); --arguments) {
            bootstrap.push_back(body.u2());
          }
        }
      }
    }
  }

  // A local class has a name beside its number, which tells it from others of its method.
  std::string hash_digits() {
    const std::string_view last = std::string_view(name_).substr(name_.rfind('$') + 1);
    const std::size_t letters = last.find_first_not_of("0123456789");
    Hash hash;
    if (is_enclosed_ && letters != last.npos && letters != 0) {
      hash.add("in " + enclosing_descriptor_ + '\n');
      return hash.digits();
    }
    for (const std::string& type : types_) hash.add(type + '\n');
    std::ranges::sort(methods_, {}, [](const Method& method) {
      return std::pair<std::string_view, std::string_view>(method.name, method.descriptor);
    });
    for (const Method& method : methods_) {
      hash.add("method " + normal_method(method.name) + ' ' + normal_descriptor(method.descriptor) +
               '\n');
      if (!method.code.empty()) add_code(method.code, hash);
    }
    return hash.digits();
  }

  void add_code(std::span<const std::uint8_t> attribute, Hash& hash) {
    if (!code_.parse(attribute, pool_) || !instructions_.decode(code_.code, {})) {
      is_malformed_ = true;
      return;
    }
    const std::span<const Instruction> all = std::as_const(instructions_).all();
    for (std::size_t i = 0; i < all.size(); ++i) {
      hash.add(instruction_text(all[i], instructions_.length_of(i)) + '\n');
    }
  }

  // Where jumps lead is left out: it depends on which constants have small numbers.
  std::string instruction_text(const Instruction& at, std::uint32_t length) {
    const std::uint8_t op = at.opcode == opcode::kLdcW ? std::uint8_t{opcode::kLdc} : at.opcode;
    std::string text = std::to_string(op);
    const auto operands = code_.code.subspan(at.bci + 1, length - 1);
    if (is_short_branch(op) || is_wide_branch(op) || is_switch(op) || operands.empty()) return text;
    const bool has_constant = op == opcode::kLdc || op == opcode::kLdc2W || is_invoke(op) ||
                              (op >= opcode::kGetstatic && op <= opcode::kPutfield) ||
                              op == opcode::kNew || op == opcode::kAnewarray ||
                              op == opcode::kCheckcast || op == opcode::kInstanceof ||
                              op == opcode::kMultianewarray;
    if (!has_constant) return text + ' ' + hex_of(operands);
    const std::size_t index_bytes = at.opcode == opcode::kLdc ? 1 : 2;
    const int index = index_bytes == 1 ? operands[0] : operands[0] << 8 | operands[1];
    text += ' ' + constant_text(static_cast<std::uint16_t>(index), 0);
    if (op == opcode::kMultianewarray) text += ' ' + hex_of(operands.subspan(index_bytes));
    return text;
  }

  std::string class_text(std::uint16_t index) const {
    const auto name = pool_.class_name(index);
    if (!name) return "";
    if (name->starts_with('[')) return normal_descriptor(*name);
    return numberless_class(with_dots(*name), of_groovy_);
  }

  std::string constant_text(std::uint16_t index, int nesting) {
    is_malformed_ = is_malformed_ || ++constants_ > kMostConstants;
    const auto tag = pool_.tag(index);
    if (!tag || nesting > kMostNesting || is_malformed_) return "";
    const std::span<const std::uint8_t> body = pool_.body(index);
    ByteReader in(body);
    switch (*tag) {
      case ConstantTag::kClass:
        return "class " + class_text(index);
      case ConstantTag::kString:
        return "string " + std::string(pool_.utf8(in.u2()).value_or(""));
      case ConstantTag::kInteger:
      case ConstantTag::kFloat:
      case ConstantTag::kLong:
      case ConstantTag::kDouble:
        return "number " + hex_of(body);
      case ConstantTag::kFieldref:
      case ConstantTag::kMethodref:
      case ConstantTag::kInterfaceMethodref: {
        const std::uint16_t owner = in.u2();
        return "member " + class_text(owner) + '.' + name_and_type_text(in.u2());
      }
      case ConstantTag::kMethodType:
        return "type " + normal_descriptor(pool_.utf8(in.u2()).value_or(""));
      case ConstantTag::kMethodHandle: {
        const std::uint8_t kind = in.u1();
        return "handle " + std::to_string(kind) + ' ' + constant_text(in.u2(), nesting + 1);
      }
      case ConstantTag::kDynamic:
      case ConstantTag::kInvokeDynamic: {
        const std::uint16_t bootstrap = in.u2();
        std::string text = "dynamic " + name_and_type_text(in.u2());
        if (bootstrap >= bootstraps_.size()) return text;
        for (const std::uint16_t part : bootstraps_[bootstrap]) {
          text += ';' + constant_text(part, nesting + 1);
        }
        return text;
      }
      default:
        return "";
    }
  }

  std::string name_and_type_text(std::uint16_t index) const {
    const auto member = pool_.name_and_type(index);
    if (!member) return "";
    return normal_method(member->name) + ' ' + normal_descriptor(member->descriptor);
  }

  std::span<const std::uint8_t> bytes_;
  ByteReader in_;
  const bool of_groovy_;
  const std::string name_;  // dotted
  ConstantPool pool_;
  bool is_malformed_ = false;
  std::size_t constants_ = 0;  // that texts were made of
  bool is_enclosed_ = false;
  std::string own_name_;  // internal
  std::string enclosing_name_, enclosing_descriptor_;
  std::vector<std::string> types_;
  std::vector<Method> methods_;
  std::vector<std::vector<std::uint16_t>> bootstraps_;  // method handle, then arguments
  CodeAttribute code_;
  InstructionList instructions_;
};

}  // namespace

std::string stable_class_name(std::span<const std::uint8_t> class_bytes,
                              std::string_view internal_name, std::string_view loader) {
  return NumberedClass(class_bytes, internal_name, loader).stable_name().value_or("");
}

std::optional<CodeOfClass> code_of_class(std::span<const std::uint8_t> class_bytes) {
  return NumberedClass(class_bytes, "", "").codes();
}

}  // namespace copse::classfile
