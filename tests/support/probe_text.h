// Instructions that a probe emits, as text: "header()J store0 load0 int7 enter(JI)J". Calls of its own runtime
// class go without that class's name.
#pragma once

#include <string>
#include <string_view>

#include "classfile/opcodes.h"
#include "classfile/probe_set.h"

namespace copse::classfile {

class ProbeText final : public CodeEmitter {
 public:
  explicit ProbeText(std::string_view runtime = "java/lang/CopseProbe") : runtime_(runtime) {}

  void push_int(std::int32_t value) override { add("int" + std::to_string(value)); }
  void push_long(std::int64_t value) override { add("long" + std::to_string(value)); }
  void load_local(std::size_t local) override { add("load" + std::to_string(local)); }
  void store_local(std::size_t local) override { add("store" + std::to_string(local)); }
  void load_own(std::uint32_t slot, char type) override {
    add("own" + std::to_string(slot) + type);
  }
  void push_own_class() override { add("class"); }
  void op(std::uint8_t opcode) override { add(name_of(opcode)); }
  void invoke_static(std::string_view owner, std::string_view name,
                     std::string_view descriptor) override {
    std::string callee = owner == runtime_ ? "" : std::string(owner) + '.';
    add(callee.append(name).append(descriptor));
  }

  // Returns the instructions emitted since the last call.
  std::string take() {
    std::string text;
    text.swap(text_);
    return text;
  }

 private:
  static std::string name_of(std::uint8_t opcode) {
    switch (opcode) {
      case opcode::kPop2:
        return "pop2";
      case opcode::kLadd:
        return "ladd";
      case opcode::kI2l:
        return "i2l";
      default:
        return "op" + std::to_string(opcode);
    }
  }
  void add(std::string_view word) {
    if (!text_.empty()) text_ += ' ';
    text_ += word;
  }

  const std::string_view runtime_;
  std::string text_;
};

}  // namespace copse::classfile
