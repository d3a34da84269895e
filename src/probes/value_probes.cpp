#include "probes/value_probes.h"

#include <string>
#include <utility>

#include "classfile/class_summary.h"
#include "classfile/descriptor.h"
#include "classfile/opcodes.h"
#include "probes/runtime_classes.h"

namespace copse::classfile {
namespace {

constexpr std::uint16_t kFirstVersionWithClassConstants = 49;
constexpr std::size_t kInvocation = 0;

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
    if (!probe_.invocations && !probe_.allocations) constructor_call_.reset();
    if (!constructor_call_ && (probe_.receiver || probe_.allocations)) {
      host_.without_receiver(method);
    }
  }
  locals_.clear();
  if (probe_.invocations) locals_.push_back(LocalKind::kLong);
  begin_sections(method);
  return !locals_.empty() || constructor_call_.has_value();
}

void ValueProbes::begin_sections(const MethodView& method) {
  levels_ = 0;
  method_section_.reset();
  if (!probe_.section) return;
  bool is_sure = method.monitor_levels.has_value();
  if ((method.access & kAccSynchronized) != 0) {
    method_section_is_static_ = (method.access & kAccStatic) != 0;
    if (probe_.section->receiver && method_section_is_static_ &&
        method.class_version < kFirstVersionWithClassConstants) {
      is_sure = false;
    } else {
      method_section_ = locals_.size();
      locals_.push_back(LocalKind::kLong);
    }
  }
  levels_ = method.monitor_levels.value_or(0);
  locals_.insert(locals_.end(), levels_, LocalKind::kLong);
  if (!is_sure) host_.without_sections(method);
}

std::size_t ValueProbes::local_of_level(std::uint32_t level) const {
  return locals_.size() - levels_ + level;
}

// Returns false if malformed.
bool ValueProbes::read_descriptor(const MethodView& method) {
  const bool is_static = (method.access & kAccStatic) != 0;
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

std::span<const LocalKind> ValueProbes::locals() const { return locals_; }

void ValueProbes::entry(CodeEmitter& code) {
  for (std::uint32_t level = 0; level < levels_; ++level) {
    code.push_long(0);
    code.store_local(local_of_level(level));
  }
  if (probe_.invocations) enter_method(code);
  if (!method_section_) return;
  if (probe_.section->receiver) {
    if (method_section_is_static_) {
      code.push_own_class();
    } else {
      code.load_own(0, 'L');
    }
  }
  enter_section(code, *method_section_);
}

void ValueProbes::enter_method(CodeEmitter& code) const {
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
  if (method_section_) leave_section(code, *method_section_);
  if (!probe_.invocations) return;
  if (has_result_) code.op(slots_of(result_) == 2 ? opcode::kDup2 : opcode::kDup);
  code.load_local(kInvocation);
  code.invoke_static(kValuesClass, "returned",
                     "(" + (has_result_ ? taken_as(result_) : "") + "J)V");
}

void ValueProbes::before_drop(CodeEmitter& code) {
  code.op(opcode::kDup);
  code.invoke_static(kValuesClass, "drop", "(Ljava/lang/Throwable;)V");
}

void ValueProbes::unwind(CodeEmitter& code) {
  if (method_section_) throw_out_of_section(code, *method_section_);
  if (!probe_.invocations) return;
  code.op(opcode::kDup);
  code.load_local(kInvocation);
  code.invoke_static(kValuesClass, "thrown", "(Ljava/lang/Object;J)V");
}

// The locked object is on the stack if it is wanted.
void ValueProbes::enter_section(CodeEmitter& code, std::size_t local) const {
  code.push_int(as_int(probe_.section->method));
  code.invoke_static(kValuesClass, "entered",
                     probe_.section->receiver ? "(Ljava/lang/Object;I)J" : "(I)J");
  code.store_local(local);
}

void ValueProbes::leave_section(CodeEmitter& code, std::size_t local) {
  code.load_local(local);
  code.invoke_static(kValuesClass, "returned", "(J)V");
  code.push_long(0);
  code.store_local(local);
}

void ValueProbes::throw_out_of_section(CodeEmitter& code, std::size_t local) {
  code.op(opcode::kDup);
  code.load_local(local);
  code.invoke_static(kValuesClass, "thrown", "(Ljava/lang/Object;J)V");
  code.push_long(0);
  code.store_local(local);
}

void ValueProbes::after_monitor_enter(CodeEmitter& code, std::uint32_t level) {
  if (!probe_.section->receiver) code.op(opcode::kPop);
  enter_section(code, local_of_level(level));
}

void ValueProbes::before_monitor_exit(CodeEmitter& code, std::uint32_t level) {
  leave_section(code, local_of_level(level));
}

void ValueProbes::monitor_handler_start(CodeEmitter& code, std::uint32_t level) {
  throw_out_of_section(code, local_of_level(level));
}

}  // namespace copse::classfile
