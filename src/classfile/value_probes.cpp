#include "classfile/value_probes.h"

#include <array>
#include <string>
#include <utility>

#include "classfile/descriptor.h"
#include "classfile/opcodes.h"
#include "classfile/runtime_classes.h"

namespace copse::classfile {
namespace {

constexpr std::uint16_t kAccStaticMethod = 0x0008;
constexpr std::size_t kInvocation = 0;
constexpr std::array<LocalKind, 1> kInvocationLocal = {LocalKind::kLong};

// The type by which natives take a value.
std::string taken_as(char type) {
  switch (type) {
    case 'J':
    case 'F':
    case 'D':
      return std::string(1, type);
    case 'L':
    case '[':
      return "Ljava/lang/Object;";
    default:
      return "I";
  }
}

}  // namespace

bool ValueProbes::begin(const MethodView& method) {
  std::optional<ValueProbe> wanted = host_.probe(method);
  if (!wanted) return false;
  probe_ = std::move(*wanted);
  if (!read_descriptor(method)) return false;
  constructor_call_.reset();
  if (method.name == "<init>") {
    has_receiver_ = false;
    constructor_call_ = method.constructor_call;
    if (!constructor_call_ && (probe_.receiver || probe_.allocations)) {
      host_.without_receiver(method);
    }
  }
  return probe_.invocations || constructor_call_.has_value();
}

// False: malformed.
bool ValueProbes::read_descriptor(const MethodView& method) {
  const bool is_static = (method.access & kAccStaticMethod) != 0;
  has_receiver_ = probe_.receiver && !is_static;
  arguments_.clear();
  std::uint32_t slot = is_static ? 0 : 1;
  std::size_t number = 0;
  DescriptorReader reader(method.descriptor);
  while (const auto parameter = reader.take_parameter()) {
    const char type = parameter->front();
    if (number < probe_.parameters.size() && probe_.parameters[number]) {
      const bool with_text = type == 'L' && number < probe_.texts.size() && probe_.texts[number];
      arguments_.push_back({static_cast<std::int32_t>(number), slot, type, with_text});
    }
    slot += slots_of(type);
    ++number;
  }
  const std::size_t result_at = method.descriptor.find(')') + 1;
  if (!reader.ok() || result_at >= method.descriptor.size()) return false;
  result_ = method.descriptor[result_at];
  has_result_ = probe_.result && result_ != 'V';
  return true;
}

std::span<const LocalKind> ValueProbes::locals() const {
  if (!probe_.invocations) return {};
  return kInvocationLocal;
}

void ValueProbes::entry(CodeEmitter& code) {
  if (!probe_.invocations) return;
  bool is_first = true;
  for (const Argument& argument : arguments_) {
    code.push_int(argument.number + (std::exchange(is_first, false) ? kFirstTaken : 0) +
                  (argument.with_text ? kTakenWithText : 0));
    code.load_own(argument.slot, argument.type);
    code.invoke_static(kValuesClass, "take", "(I" + taken_as(argument.type) + ")V");
  }
  if (has_receiver_) code.load_own(0, 'L');
  code.push_int(as_int(probe_.method));
  code.invoke_static(kValuesClass, "entered", has_receiver_ ? "(Ljava/lang/Object;I)J" : "(I)J");
  code.store_local(kInvocation);
}

void ValueProbes::after_call(CodeEmitter& code, std::size_t call_index) {
  if (constructor_call_ != call_index) return;
  code.load_own(0, 'L');
  if (!probe_.invocations) {
    code.invoke_static(kValuesClass, "allocated", "(Ljava/lang/Object;)V");
    return;
  }
  code.load_local(kInvocation);
  code.invoke_static(kValuesClass, "constructed", "(Ljava/lang/Object;J)V");
}

void ValueProbes::before_return(CodeEmitter& code) {
  if (!probe_.invocations) return;
  if (has_result_) code.op(slots_of(result_) == 2 ? opcode::kDup2 : opcode::kDup);
  code.load_local(kInvocation);
  code.invoke_static(kValuesClass, "returned",
                     "(" + (has_result_ ? taken_as(result_) : "") + "J)V");
}

void ValueProbes::unwind(CodeEmitter& code) {
  if (!probe_.invocations) return;
  code.op(opcode::kDup);
  code.load_local(kInvocation);
  code.invoke_static(kValuesClass, "thrown", "(Ljava/lang/Object;J)V");
}

}  // namespace copse::classfile
