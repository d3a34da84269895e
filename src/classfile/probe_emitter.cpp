#include "classfile/probe_emitter.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "classfile/descriptor.h"
#include "classfile/opcodes.h"

namespace copse::classfile {

namespace {

constexpr std::uint8_t kFirstShortLoad = 26;  // iload_0; four per type follow
constexpr std::uint32_t kReference =
    4;  // instructions of a kind: int, long, float, double, reference

// Bytes of an instruction that loads or stores a local.
constexpr std::uint32_t access_bytes(std::uint32_t slot) noexcept {
  return slot <= 3 ? 1 : slot <= std::numeric_limits<std::uint8_t>::max() ? 2 : 4;
}

// The value that an xreturn or athrow takes.
constexpr std::uint32_t kind_taken_by(std::uint8_t instruction) noexcept {
  return instruction == opcode::kAthrow ? kReference
                                        : std::uint32_t{instruction} - opcode::kIreturn;
}
constexpr std::uint32_t slots_taken_by(std::uint8_t instruction) noexcept {
  return kStackEffect[instruction].pops;
}

}  // namespace

bool ProbeEmitter::begin_method(std::span<const LocalKind> locals, std::uint16_t max_locals,
                                std::uint16_t own_class) {
  own_class_ = own_class;
  code_.clear();
  pool_full_ = false;
  place_begin_ = 0;
  depth_ = 0;
  max_depth_ = 0;
  max_stack_ = 0;
  locals_ = locals;
  slots_.clear();
  stored_.assign(locals.size(), false);
  std::uint32_t slot = max_locals;
  for (const LocalKind kind : locals) {
    slots_.push_back(static_cast<std::uint16_t>(slot));
    slot += kind == LocalKind::kLong ? 2 : 1;
    if (slot > std::numeric_limits<std::uint16_t>::max()) return false;
  }
  max_locals_ = slot;
  kept_slots_ = 0;
  return true;
}

std::uint32_t ProbeEmitter::end_place(std::uint32_t depth, std::int32_t left) {
  // A constant that found no room leaves its instruction out.
  if (depth_ != left && !pool_full_) misuse_ = "a probe leaves the operand stack changed";
  const auto size = static_cast<std::uint32_t>(code_.size() - place_begin_);
  place_begin_ = code_.size();
  max_stack_ = std::max(max_stack_, depth + static_cast<std::uint32_t>(max_depth_));
  max_depth_ = depth_;
  return size;
}

void ProbeEmitter::begin_guard(std::uint8_t instruction) {
  const std::uint32_t slots = slots_taken_by(instruction);
  guard_ = {code_.size(), 0, slots, max_depth_, 0, false};
  if (slots != 0) {
    op(slots == 1 ? opcode::kDup : opcode::kDup2);
    pop(static_cast<std::int32_t>(slots));
    access_kept(opcode::kIstore, opcode::kIstore0, instruction);
  }
  guard_.begin = code_.size();
  guard_.max_depth_with_copy = std::exchange(max_depth_, depth_);
}

std::uint32_t ProbeEmitter::end_guard() {
  const std::span<const std::uint8_t> guarded = code_.view().subspan(guard_.begin);
  max_depth_ = std::max(max_depth_, guard_.calls ? guard_.max_depth_with_copy : guard_.max_depth);
  if (!guard_.calls) {
    const std::vector<std::uint8_t> code(guarded.begin(), guarded.end());
    code_.truncate(guard_.place);
    code_.bytes(code);
    return 0;
  }
  kept_slots_ = std::max(kept_slots_, guard_.slots);
  return static_cast<std::uint32_t>(guarded.size());
}

void ProbeEmitter::resume(std::uint8_t instruction) {
  op(opcode::kPop);
  const auto slots = static_cast<std::int32_t>(slots_taken_by(instruction));
  if (slots != 0) access_kept(opcode::kIload, kFirstShortLoad, instruction);
  push(slots);
  code_.u1(instruction);
  depth_ += 1 - slots;  // as it was before the exception was dropped
}

void ProbeEmitter::rejoin() {
  code_.u1(opcode::kGoto);
  code_.u2(kGotoBytes + bytes_from_resume() - bytes_from_rejoin());
  code_.u1(opcode::kPop);
  access_kept(opcode::kIload, kFirstShortLoad, opcode::kAthrow);
  op(opcode::kAconstNull);
  pop(1);
  access_kept(opcode::kIstore, opcode::kIstore0, opcode::kAthrow);
}

// `of_int`, `first_short`: the instruction for an int, with an operand and without.
void ProbeEmitter::access_kept(std::uint8_t of_int, std::uint32_t first_short,
                               std::uint8_t instruction) {
  const std::uint32_t kind = kind_taken_by(instruction);
  access_slot(static_cast<std::uint8_t>(of_int + kind), first_short + 4 * kind, max_locals_);
}

std::uint32_t ProbeEmitter::bytes_to_begin() const noexcept {
  return 1 + access_bytes(max_locals_);
}

std::uint32_t ProbeEmitter::bytes_from_resume() const noexcept {
  return 1 + access_bytes(max_locals_) + bytes_from_rejoin();
}

std::uint32_t ProbeEmitter::bytes_from_rejoin() const noexcept {
  return 1 + access_bytes(max_locals_);
}

void ProbeEmitter::end_entry() {
  if (std::find(stored_.begin(), stored_.end(), false) != stored_.end()) {
    misuse_ = "the entry probe leaves one of its locals unset";
  }
}

void ProbeEmitter::pop(std::int32_t slots) { depth_ -= slots; }

void ProbeEmitter::push(std::int32_t slots) {
  depth_ += slots;
  max_depth_ = std::max(max_depth_, depth_);
}

void ProbeEmitter::load_constant(std::uint16_t index) {
  if (index == 0) {
    pool_full_ = true;
  } else if (index <= std::numeric_limits<std::uint8_t>::max()) {
    code_.u1(opcode::kLdc);
    code_.u1(index);
  } else {
    code_.u1(opcode::kLdcW);
    code_.u2(index);
  }
}

void ProbeEmitter::push_int(std::int32_t value) {
  push(1);
  if (value >= -1 && value <= 5) {
    code_.u1(static_cast<std::uint32_t>(opcode::kIconst0 + value));
  } else if (value == static_cast<std::int8_t>(value)) {
    code_.u1(opcode::kBipush);
    code_.u1(static_cast<std::uint32_t>(value));
  } else if (value == static_cast<std::int16_t>(value)) {
    code_.u1(opcode::kSipush);
    code_.u2(static_cast<std::uint32_t>(value));
  } else {
    load_constant(pool_.add_integer(value));
  }
}

void ProbeEmitter::push_long(std::int64_t value) {
  push(2);
  if (value == 0 || value == 1) {
    code_.u1(static_cast<std::uint32_t>(opcode::kLconst0 + value));
    return;
  }
  const std::uint16_t index = pool_.add_long(value);
  if (index == 0) pool_full_ = true;
  code_.u1(opcode::kLdc2W);
  code_.u2(index);
}

void ProbeEmitter::access_local(std::uint8_t int_opcode, std::size_t probe_local) {
  const bool is_long = locals_[probe_local] == LocalKind::kLong;
  const auto op = static_cast<std::uint8_t>(int_opcode + (is_long ? 1 : 0));
  const bool is_load = int_opcode == opcode::kIload;
  const int first = is_load ? int{kFirstShortLoad} : int{opcode::kIstore0};
  access_slot(op, static_cast<std::uint32_t>(first + (is_long ? 4 : 0)), slots_[probe_local]);
}

// `first_short`: the instruction without operand for slot 0.
void ProbeEmitter::access_slot(std::uint8_t op, std::uint32_t first_short, std::uint32_t slot) {
  if (slot <= 3) {
    code_.u1(first_short + slot);
  } else if (slot <= std::numeric_limits<std::uint8_t>::max()) {
    code_.u1(op);
    code_.u1(slot);
  } else {
    code_.u1(opcode::kWide);
    code_.u1(op);
    code_.u2(slot);
  }
}

void ProbeEmitter::load_local(std::size_t probe_local) {
  if (probe_local >= locals_.size()) {
    misuse_ = "a probe uses a local it did not ask for";
    return;
  }
  push(locals_[probe_local] == LocalKind::kLong ? 2 : 1);
  access_local(opcode::kIload, probe_local);
}

void ProbeEmitter::store_local(std::size_t probe_local) {
  if (probe_local >= locals_.size()) {
    misuse_ = "a probe uses a local it did not ask for";
    return;
  }
  pop(locals_[probe_local] == LocalKind::kLong ? 2 : 1);
  stored_[probe_local] = true;
  access_local(opcode::kIstore, probe_local);
}

void ProbeEmitter::load_own(std::uint32_t slot, char type) {
  constexpr std::string_view kTypes = "IJFD";  // in the order of the instructions; then references
  const std::string_view kind = type == 'J' ? "J" : type == 'F' ? "F" : type == 'D' ? "D" : "I";
  const bool is_reference = type == 'L' || type == '[';
  const std::size_t which = is_reference ? kTypes.size() : kTypes.find(kind);
  push(type == 'J' || type == 'D' ? 2 : 1);
  access_slot(static_cast<std::uint8_t>(opcode::kIload + which),
              static_cast<std::uint32_t>(kFirstShortLoad + 4 * which), slot);
}

void ProbeEmitter::push_own_class() {
  push(1);
  load_constant(own_class_);
}

void ProbeEmitter::op(std::uint8_t opcode) {
  const bool has_side_exit = is_return(opcode) || opcode == opcode::kAthrow;
  if (kInstructionLength[opcode] != 1 || has_side_exit) {
    misuse_ = "a probe emits an instruction that op() does not take";
    return;
  }
  pop(kStackEffect[opcode].pops);
  push(kStackEffect[opcode].pushes);
  code_.u1(opcode);
}

const ProbeEmitter::Callee* ProbeEmitter::callee(std::string_view owner, std::string_view name,
                                                 std::string_view descriptor) {
  for (const Callee& known : callees_) {
    if (known.name == name && known.descriptor == descriptor && known.owner == owner) return &known;
  }
  DescriptorReader reader(descriptor);
  std::int32_t pops = 0;
  while (const auto parameter = reader.take_parameter()) {
    pops += static_cast<std::int32_t>(slots_of(parameter->front()));
  }
  if (!reader.ok()) {
    misuse_ = "a probe calls a method whose descriptor is malformed";
    return nullptr;
  }
  const std::uint16_t index = pool_.add_method(owner, name, descriptor);
  if (index == 0) {
    pool_full_ = true;
    return nullptr;
  }
  callees_.push_back({std::string(owner), std::string(name), std::string(descriptor), index, pops,
                      static_cast<std::int32_t>(reader.return_slots())});
  return &callees_.back();
}

void ProbeEmitter::invoke_static(std::string_view owner, std::string_view name,
                                 std::string_view descriptor) {
  const Callee* target = callee(owner, name, descriptor);
  if (target == nullptr) return;
  pop(target->pops);
  push(target->pushes);
  guard_.calls = true;
  code_.u1(opcode::kInvokestatic);
  code_.u2(target->index);
}

}  // namespace copse::classfile
