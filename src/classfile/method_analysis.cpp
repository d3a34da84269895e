#include "classfile/method_analysis.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/byte_reader.h"
#include "classfile/descriptor.h"
#include "classfile/stack_depth.h"

namespace copse::classfile {
namespace {

struct Line {
  std::uint16_t start;
  std::uint16_t line;
};

std::vector<Line> lines_of(const CodeAttribute& code) {
  std::vector<Line> lines;
  for (const CodePart& part : code.parts) {
    if (part.kind != CodePartKind::kLineNumbers) continue;
    ByteReader in(part.content);
    const std::uint32_t count = in.u2();
    for (std::uint32_t i = 0; i < count && in.ok(); ++i) {
      const std::uint16_t start = in.u2();
      lines.push_back({start, in.u2()});
    }
  }
  const auto by_start = [](const Line& a, const Line& b) { return a.start < b.start; };
  if (!std::is_sorted(lines.begin(), lines.end(), by_start)) {
    std::stable_sort(lines.begin(), lines.end(), by_start);
  }
  return lines;
}

// Sets the lines of `places`. REQUIRES: they are in order of bci.
template <typename View>
void add_lines(const CodeAttribute& code, std::vector<View>& places) {
  if (places.empty()) return;
  const std::vector<Line> lines = lines_of(code);
  auto next = lines.begin();
  for (View& place : places) {
    while (next != lines.end() && next->start <= place.bci) ++next;
    if (next != lines.begin()) place.line = std::prev(next)->line;
  }
}

// Which of the topmost 64 operand stack slots surely hold `this`: bit 0 is the top. Slots below,
// and everything at the start of a basic block, count as unknown.
class ThisOnStack {
 public:
  void forget() noexcept { mask_ = 0; }
  void pop(std::uint32_t slots) noexcept { mask_ = slots < 64 ? mask_ >> slots : 0; }
  void push_other(std::uint32_t slots) noexcept { mask_ = slots < 64 ? mask_ << slots : 0; }
  void push_this() noexcept { mask_ = mask_ << 1 | 1; }
  bool at(std::uint32_t depth) const noexcept { return (mask_ >> depth & 1) != 0; }
  void dup() noexcept { mask_ = mask_ << 1 | (mask_ & 1); }
  void dup_x1() noexcept {
    mask_ = (mask_ & ~std::uint64_t{3}) << 1 | (mask_ & 3) | (mask_ & 1) << 2;
  }

 private:
  std::uint64_t mask_ = 0;
};

bool stores_to_local_0(std::uint8_t op, std::span<const std::uint8_t> code, std::size_t bci) {
  using namespace opcode;
  if (op == kWide) {
    const std::uint8_t widened = code[bci + 1];
    return widened >= kIstore && widened <= kAstore && code[bci + 2] == 0 && code[bci + 3] == 0;
  }
  if (op >= kIstore && op <= kAstore) return code[bci + 1] == 0;
  return op == kIstore0 || op == kLstore0 || op == kFstore0 || op == kDstore0 || op == kAstore0;
}

class Classifier {
 public:
  Classifier(const InstructionList& instructions, const ConstantPool& pool, const ClassView& owner,
             bool is_static)
      : instructions_(instructions), code_(instructions.code()), pool_(pool), owner_(owner) {
    this_in_local_0_ = !is_static;
    for (const Instruction& at : instructions.all()) {
      if (stores_to_local_0(at.opcode, code_, at.bci)) this_in_local_0_ = false;
    }
  }

  ImplicitCalls run() {
    for (const Instruction& at : instructions_.all()) {
      if (instructions_.is_target(at.bci)) stack_.forget();
      raise(effect_of(at));
      if (worst_ == ImplicitCalls::kClassLoading) break;
      step(at);
    }
    return worst_;
  }

 private:
  void raise(ImplicitCalls seen) { worst_ = std::max(worst_, seen); }

  ImplicitCalls effect_of(const Instruction& at) const {
    using namespace opcode;
    const std::uint8_t op = at.opcode;
    if ((op >= kIaload && op <= kSaload) || (op >= kIastore && op <= kSastore)) {
      return ImplicitCalls::kVmExceptions;
    }
    switch (op) {
      case kIdiv:
      case kLdiv:
      case kIrem:
      case kLrem:
      case kNewarray:
      case kArraylength:
      case kAthrow:
      case kMonitorenter:
      case kMonitorexit:
        return ImplicitCalls::kVmExceptions;
      case kNew:
      case kAnewarray:
      case kMultianewarray:
      case kCheckcast:
      case kInstanceof:
        return ImplicitCalls::kClassLoading;
      case kLdc:
        return effect_of_constant(code_[at.bci + 1]);
      case kLdcW:
      case kLdc2W:
        return effect_of_constant(operand(at));
      case kGetstatic:
      case kPutstatic:
      case kGetfield:
      case kPutfield:
        return effect_of_field(at);
      case kReturn:
        // The return of Object's constructor registers finalizers, in Java code.
        return owner_.super_name.empty() && this_in_local_0_ ? ImplicitCalls::kClassLoading
                                                             : ImplicitCalls::kNone;
      default:
        return ImplicitCalls::kNone;
    }
  }

  ImplicitCalls effect_of_constant(std::uint16_t index) const {
    const auto tag = pool_.tag(index);
    if (!tag) return ImplicitCalls::kClassLoading;
    switch (*tag) {
      case ConstantTag::kInteger:
      case ConstantTag::kFloat:
      case ConstantTag::kLong:
      case ConstantTag::kDouble:
      case ConstantTag::kString:
        return ImplicitCalls::kNone;
      default:
        return ImplicitCalls::kClassLoading;
    }
  }

  // Code of a class runs only once the class and its superclasses are loaded and are being or have
  // been initialised by whoever runs it, so its own fields load nothing; a constant inherited from
  // an interface may still initialise that. Resolving a field of another class may ask a class
  // loader, written in Java.
  ImplicitCalls effect_of_field(const Instruction& at) const {
    const auto field = pool_.member(operand(at));
    if (!field) return ImplicitCalls::kClassLoading;
    const bool own = field->owner == owner_.name;
    if (at.opcode == opcode::kGetstatic || at.opcode == opcode::kPutstatic) {
      const bool declared = own && std::binary_search(owner_.field_names.begin(),
                                                      owner_.field_names.end(), field->name);
      return declared ? ImplicitCalls::kNone : ImplicitCalls::kClassLoading;
    }
    if (!own && field->owner != owner_.super_name) return ImplicitCalls::kClassLoading;
    const std::uint32_t receiver = at.opcode == opcode::kGetfield ? 0 : slots_of_field(*field);
    return stack_.at(receiver) ? ImplicitCalls::kNone : ImplicitCalls::kVmExceptions;
  }

  void step(const Instruction& at) {
    using namespace opcode;
    const std::uint8_t op = at.opcode;
    if (this_in_local_0_ && (op == kAload0 || (op == kAload && code_[at.bci + 1] == 0))) {
      stack_.push_this();
    } else if (op == kDup) {
      stack_.dup();
    } else if (op == kDupX1) {
      stack_.dup_x1();
    } else if (is_invoke(op) || op == kWide) {
      stack_.forget();
    } else {
      const SlotEffect effect = slot_effect(at, instructions_, pool_);
      stack_.pop(effect.pops);
      stack_.push_other(effect.pushes);
    }
  }

  static std::uint32_t slots_of_field(const MemberView& field) {
    return field.descriptor.empty() ? 1 : slots_of(field.descriptor.front());
  }
  std::uint16_t operand(const Instruction& at) const {
    return static_cast<std::uint16_t>(instructions_.s2_at(at.bci + 1));
  }

  const InstructionList& instructions_;
  std::span<const std::uint8_t> code_;
  const ConstantPool& pool_;
  const ClassView& owner_;
  bool this_in_local_0_;
  ThisOnStack stack_;
  ImplicitCalls worst_ = ImplicitCalls::kNone;
};

// ldc2_w may load a constant that a method makes.
bool is_step_in(const InstructionList& instructions, const ConstantPool& pool,
                const Instruction& at) {
  if (at.opcode != opcode::kLdc2W) return is_step(at.opcode);
  const auto tag = pool.tag(static_cast<std::uint16_t>(instructions.s2_at(at.bci + 1)));
  return tag == ConstantTag::kLong || tag == ConstantTag::kDouble;
}

NextProbe next_probe(const InstructionList& instructions, const ConstantPool& pool,
                     std::size_t behind) {
  const auto all = instructions.all().subspan(behind);
  for (const Instruction& at : all.first(std::min<std::size_t>(all.size(), kMostSteps + 1))) {
    if (is_invoke(at.opcode)) return NextProbe::kCall;
    if (is_return(at.opcode)) return NextProbe::kReturn;
    if (!is_step_in(instructions, pool, at)) break;
  }
  return NextProbe::kNone;
}

// Opcodes come in groups of one for each type of value: with the slot behind them, and with slots 0 to 3.
constexpr std::uint8_t kSlotTypes = 5;
constexpr std::uint8_t kShortForms = 4;
constexpr std::uint8_t kIload0 = opcode::kIload + kSlotTypes;

std::uint8_t operation(const InstructionList& list, const Instruction& instruction) {
  return instruction.opcode == opcode::kWide ? list.code()[instruction.bci + 1]
                                             : instruction.opcode;
}

// Returns the slot that stands behind the opcode.
std::uint32_t named_slot(const InstructionList& list, const Instruction& instruction) {
  if (instruction.opcode != opcode::kWide) return list.code()[instruction.bci + 1];
  return static_cast<std::uint32_t>(list.s2_at(instruction.bci + 2)) & 0xffff;
}

// Returns the slot that an instruction of one of two groups loads or stores. Both groups are given by their first
// opcodes.
std::optional<std::uint32_t> slot_of(const InstructionList& list, const Instruction& instruction,
                                     std::uint8_t with_slot, std::uint8_t short_form) {
  const std::uint8_t op = operation(list, instruction);
  if (op >= with_slot && op < with_slot + kSlotTypes) return named_slot(list, instruction);
  if (op >= short_form && op < short_form + kSlotTypes * kShortForms) {
    return static_cast<std::uint32_t>(op - short_form) % kShortForms;
  }
  return std::nullopt;
}

std::optional<std::uint32_t> stored_slot(const InstructionList& list,
                                         const Instruction& instruction) {
  return slot_of(list, instruction, opcode::kIstore, opcode::kIstore0);
}

bool reads(const InstructionList& list, const Instruction& instruction, std::uint32_t slot) {
  if (operation(list, instruction) == opcode::kIinc) return named_slot(list, instruction) == slot;
  return slot_of(list, instruction, opcode::kIload, kIload0) == slot;
}

// Walks over instructions in the order in which they can run, each once. Exceptions are left out.
class Walk {
 public:
  explicit Walk(const InstructionList& list) : list_(list), seen_(list.all().size(), false) {}

  void begin_at(std::size_t index) {
    if (index >= seen_.size() || seen_[index]) return;
    seen_[index] = true;
    to_see_.push_back(index);
  }
  bool has_seen(std::size_t index) const { return seen_[index]; }

  // `visit(instruction)`: whether the walk goes on behind it.
  template <typename Visit>
  void run(Visit visit) {
    while (!to_see_.empty()) {
      const std::size_t index = to_see_.back();
      to_see_.pop_back();
      const Instruction& instruction = list_.all()[index];
      if (!visit(instruction)) continue;
      const std::uint8_t op = instruction.opcode;
      if (is_switch(op)) {
        list_.for_each_case(index, [this](std::uint32_t bci) { begin_at(list_.index_of(bci)); });
      } else if (is_short_branch(op) || is_wide_branch(op)) {
        begin_at(list_.index_of(list_.branch_target(instruction)));
      }
      if (!ends_path(op)) begin_at(index + 1);
    }
  }

 private:
  const InstructionList& list_;
  std::vector<bool> seen_;
  std::vector<std::size_t> to_see_;
};

// Returns the instructions at which exception handlers may begin: no other instruction leads to them. The code that they
// protect is not known.
std::vector<std::size_t> possible_handlers(const InstructionList& list) {
  Walk walk(list);
  walk.begin_at(0);
  walk.run([](const Instruction&) { return true; });
  std::vector<std::size_t> handlers;
  for (std::size_t i = 0; i < list.all().size(); ++i) {
    if (walk.has_seen(i)) continue;
    handlers.push_back(i);
    walk.begin_at(i);
    walk.run([](const Instruction&) { return true; });
  }
  return handlers;
}

// Returns true if later code or a handler may read the value that the instruction at `store` puts into the slot.
bool may_be_read(const InstructionList& list, std::size_t store, std::uint32_t slot) {
  if (list.has_subroutines()) return true;
  Walk walk(list);
  walk.begin_at(store + 1);
  for (const std::size_t handler : possible_handlers(list)) walk.begin_at(handler);
  bool is_read = false;
  walk.run([&](const Instruction& instruction) {
    is_read = is_read || reads(list, instruction, slot);
    return !is_read && stored_slot(list, instruction) != slot;
  });
  return is_read;
}

}  // namespace

bool find_calls(const InstructionList& instructions, const CodeAttribute& code,
                const ConstantPool& pool, std::vector<CallSiteView>& calls) {
  calls.clear();
  const std::span<const Instruction> all = instructions.all();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Instruction& at = all[i];
    if (!is_invoke(at.opcode)) continue;
    const auto callee = pool.member(static_cast<std::uint16_t>(instructions.s2_at(at.bci + 1)));
    if (!callee) return false;
    if (callee->owner.empty() != (at.opcode == opcode::kInvokedynamic)) return false;
    calls.push_back({at.bci, -1, at.opcode, callee->owner, callee->name, callee->descriptor,
                     callee->interface_owner, next_probe(instructions, pool, i + 1)});
  }
  add_lines(code, calls);
  return true;
}

bool find_allocations(const InstructionList& instructions, const CodeAttribute& attribute,
                      const ConstantPool& pool, std::vector<AllocationView>& allocations) {
  allocations.clear();
  const std::span<const std::uint8_t> code = instructions.code();
  for (const Instruction& at : instructions.all()) {
    if (!is_allocation(at.opcode)) continue;
    AllocationView allocation{at.bci, -1, at.opcode, {}, 0};
    if (at.opcode != opcode::kNewarray) {
      const std::optional<std::string_view> name =
          pool.class_name(static_cast<std::uint16_t>(code[at.bci + 1] << 8 | code[at.bci + 2]));
      if (!name) return false;
      allocation.class_name = *name;
    }
    if (at.opcode == opcode::kNewarray) allocation.operand = code[at.bci + 1];
    if (at.opcode == opcode::kMultianewarray) allocation.operand = code[at.bci + 3];
    allocations.push_back(allocation);
  }
  add_lines(attribute, allocations);
  return true;
}

void find_throws(const InstructionList& instructions, const CodeAttribute& code,
                 std::vector<ThrowView>& throws) {
  throws.clear();
  for (const Instruction& at : instructions.all()) {
    if (at.opcode == opcode::kAthrow) throws.push_back({at.bci, -1});
  }
  add_lines(code, throws);
}

ImplicitCalls classify_implicit_calls(const InstructionList& instructions, const ConstantPool& pool,
                                      const ClassView& owner, bool is_static) {
  return Classifier(instructions, pool, owner, is_static).run();
}

std::optional<std::uint32_t> behind_constructor_call(const InstructionList& instructions,
                                                     const std::vector<CallSiteView>& calls,
                                                     const ClassView& owner) {
  const auto all = instructions.all();
  int pending = 0;  // objects made by `new` and not yet initialised, all on the stack
  auto call = calls.begin();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Instruction& at = all[i];
    const bool ends_block = is_short_branch(at.opcode) || is_wide_branch(at.opcode) ||
                            is_switch(at.opcode) || is_return(at.opcode) ||
                            at.opcode == opcode::kAthrow;
    if (ends_block || instructions.is_target(at.bci) || instructions.is_handler(at.bci)) {
      return std::nullopt;
    }
    if (at.opcode == opcode::kNew) ++pending;
    if (!is_invoke(at.opcode)) continue;
    const CallSiteView& view = *call++;
    if (at.opcode != opcode::kInvokespecial || view.name != "<init>") continue;
    if (pending == 0) {
      const bool of_this = view.owner == owner.name || view.owner == owner.super_name;
      if (!of_this || i + 1 == all.size()) return std::nullopt;
      return all[i + 1].bci;
    }
    --pending;
  }
  return std::nullopt;
}

// In the order of the code each `new` is before the call that initialises its object, as brackets
// are. So compilers write it; that the frames before the call, and none behind it, lack `this` proves
// that it is initialised between them.
std::optional<std::size_t> find_constructor_call(const InstructionList& instructions,
                                                 const std::vector<CallSiteView>& calls,
                                                 const ClassView& owner,
                                                 const std::vector<ConstructorFrame>& frames) {
  const auto all = instructions.all();
  const bool keeps_this = std::ranges::none_of(all, [&](const Instruction& at) {
    return stores_to_local_0(at.opcode, instructions.code(), at.bci);
  });
  if (!keeps_this) return std::nullopt;
  int pending = 0;
  std::size_t call = 0;
  for (const Instruction& at : all) {
    if (at.opcode == opcode::kNew) ++pending;
    if (!is_invoke(at.opcode)) continue;
    const CallSiteView& view = calls[call++];
    if (at.opcode != opcode::kInvokespecial || view.name != "<init>") continue;
    if (pending-- > 0) continue;
    const bool agree = std::ranges::all_of(frames, [&](const ConstructorFrame& frame) {
      return frame.this_is_initialised == (frame.bci > at.bci);
    });
    const bool of_this = view.owner == owner.name || view.owner == owner.super_name;
    return of_this && agree ? std::optional(call - 1) : std::nullopt;
  }
  return std::nullopt;
}

ResultUse result_use(const InstructionList& code, std::uint32_t bci) {
  const auto all = code.all();
  auto at = std::ranges::lower_bound(all, bci, {}, &Instruction::bci);
  if (at == all.end() || at->bci != bci || !is_invoke(at->opcode)) return ResultUse::kUnknown;
  ++at;
  while (at != all.end() && (at->opcode == opcode::kCheckcast || at->opcode == opcode::kNop)) ++at;
  if (at == all.end()) return ResultUse::kUnknown;
  if (at->opcode == opcode::kPop || at->opcode == opcode::kPop2) return ResultUse::kIgnored;
  const auto slot = stored_slot(code, *at);
  const bool is_used =
      !slot || may_be_read(code, static_cast<std::size_t>(at - all.begin()), *slot);
  return is_used ? ResultUse::kUsed : ResultUse::kIgnored;
}

}  // namespace copse::classfile
