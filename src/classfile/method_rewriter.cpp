#include "classfile/method_rewriter.h"

#include <algorithm>
#include <array>
#include <utility>

#include "classfile/class_summary.h"
#include "classfile/debug_tables.h"
#include "classfile/descriptor.h"

namespace copse::classfile {
namespace {

constexpr std::uint32_t kHotSpotHugeMethodBytes = 8000;
constexpr std::uint32_t kMaxU2 = 65535;
constexpr std::uint32_t kInvokeBytes = 3;  // of invokespecial
constexpr std::uint32_t kMonitorBytes = 1;
constexpr std::uint32_t kAthrowBytes = 1;
constexpr std::uint32_t kReturnBytes = 1;
constexpr std::uint16_t kFirstVersionWithStackMaps = 50;
// Depth of the stack where the last handler begins.
constexpr std::uint32_t kOnlyException = 1;

// Returns true if the locals have room for the arguments (JVMS 4.7.3). Old class initialisers are
// static without a flag.
bool arguments_fit(const MethodHeader& method, std::uint32_t max_locals) noexcept {
  std::uint32_t slots = (method.access & kAccStatic) == 0 && method.name != "<clinit>" ? 1 : 0;
  DescriptorReader reader(method.descriptor);
  while (const auto parameter = reader.take_parameter()) slots += slots_of(parameter->front());
  return reader.ok() && slots <= max_locals;
}

// Returns whether an instruction can throw more than an error of the virtual machine: those before a constructor's super()
// mostly load constants and arguments.
bool may_throw(std::uint8_t op) noexcept {
  using namespace opcode;
  const auto is_from = [op](std::uint8_t first, std::uint8_t last) {
    return op >= first && op <= last;
  };
  return is_from(kIaload, kSaload) || is_from(kIastore, kSastore) || op == kIdiv || op == kLdiv ||
         op == kIrem || op == kLrem || is_from(kGetstatic, kMultianewarray);
}

// REQUIRES: the descriptor is well formed.
std::uint8_t return_instruction(std::string_view descriptor) noexcept {
  constexpr std::string_view kTypes = "IJFD[V";  // in the order of the instructions
  const char type = descriptor[descriptor.find(')') + 1];
  const std::size_t kind = kTypes.find(type == 'L' ? '[' : type);
  const bool is_int = kind == std::string_view::npos;
  return static_cast<std::uint8_t>(opcode::kIreturn + (is_int ? 0 : kind));
}

}  // namespace

MethodOutcome MethodRewriter::skip(SkipReason reason) {
  skip_reason_ = reason;
  return MethodOutcome::kSkipped;
}

bool MethodRewriter::wanted(const MethodHeader& method) {
  const bool is_static = (method.access & kAccStatic) != 0;
  MethodView view;
  view.class_name = owner_.name;
  view.super_name = owner_.super_name;
  view.class_access = owner_.access;
  view.name = method.name;
  view.descriptor = method.descriptor;
  view.access = method.access;
  view.max_locals = code_.max_locals;
  view.code_length = static_cast<std::uint32_t>(code_.code.size());
  view.has_handlers = !code_.ranges.empty();
  view.only_returns = code_.code.size() == 1 && is_return(code_.code[0]);
  view.has_loop = instructions_.jumps_back();
  view.implicit_calls = classify_implicit_calls(instructions_, pool_, owner_, is_static);
  view.calls = calls_;
  view.allocations = allocations_;
  view.throws = throws_;
  view.class_version = owner_.major_version;
  if (probes_.asks_for_monitors()) {
    monitors_.find(instructions_, code_.ranges, calls_, method.name == "<init>");
    view.monitor_levels = monitors_.levels();
  }
  find_super_call(method);
  view.constructor_call = super_call_;
  return probes_.begin(view);
}

void MethodRewriter::find_super_call(const MethodHeader& method) {
  super_call_.reset();
  const bool has_one = method.name == "<init>" && !owner_.super_name.empty();
  if (!has_one || instructions_.has_subroutines()) return;
  std::vector<ConstructorFrame> frames;
  for (const CodePart& part : code_.parts) {
    if (part.kind != CodePartKind::kStackMap) continue;
    std::size_t parameters = 0;
    for (DescriptorReader reader(method.descriptor); reader.take_parameter();) ++parameters;
    frames = constructor_frames(part.content, parameters);
  }
  const bool in_a_line = behind_constructor_call(instructions_, calls_, owner_).has_value();
  const bool has_frames = owner_.major_version >= kFirstVersionWithStackMaps && !frames.empty();
  if (in_a_line || has_frames)
    super_call_ = find_constructor_call(instructions_, calls_, owner_, frames);
}

// An exception that a probe throws, mostly because no stack is left for it, must not keep the program's handler from
// running: its `finally` would be skipped. The guard drops that exception. javac lets the handler that releases a
// monitor cover itself; there the guard also keeps the code from being its own handler.
void MethodRewriter::emit_handler_start(Insertion& inserted, std::uint32_t depth) {
  emitter_.begin_guard(opcode::kAthrow);
  if (form_ != Form::kBareHandlers) probes_.handler_start(emitter_);
  if (const auto* place = monitor_place(inserted.bci, MonitorPlace::Kind::kHandler)) {
    probes_.monitor_handler_start(emitter_, place->level);
  }
  if (emitter_.end_guard() != 0) {
    emitter_.rejoin();
    guarded_.push_back(inserted.bci);
  }
  inserted.handler_start = emitter_.end_place(depth);
}

// Returns nullptr if the probes do not follow monitors.
const MonitorPlace* MethodRewriter::monitor_place(std::uint32_t bci,
                                                  MonitorPlace::Kind kind) const {
  if (!probes_.follows_monitors()) return nullptr;
  const auto places = monitors_.places();
  auto place = std::ranges::lower_bound(places, bci, {}, &MonitorPlace::bci);
  while (place != places.end() && place->bci == bci && place->kind != kind) ++place;
  return place != places.end() && place->bci == bci ? &*place : nullptr;
}

// Duplicates the locked object for the probe.
void MethodRewriter::emit_monitor_enter(const MonitorPlace& place, std::size_t instruction,
                                        Insertion& inserted) {
  emitter_.op(opcode::kDup);
  inserted.before = emitter_.end_place(depths_.before(instruction), 1);
  probes_.after_monitor_enter(emitter_, place.level);
  inserted.after = emitter_.end_place(depths_.behind(instruction));
  behind_enters_.push_back(inserted);
}

// A probe that finds no stack must not take the method's result, nor put its own exception in place of none. Other
// exceptions that arrive in a probe are the program's, as those of Thread.stop() (before_drop()). Where code must be short
// returns have one probe in common, behind the code; there the verifier has frames, and the result alone is on the stack.
void MethodRewriter::emit_return(Instruction& at, std::uint32_t depth, Insertion& inserted) {
  const bool is_valid = at.opcode == return_;
  at.joins = joins_returns_ && is_valid && depth == kStackEffect[return_].pops;
  if (at.joins) {
    joined_.emplace();
    return;
  }
  if (is_valid) emitter_.begin_guard(return_);
  probes_.before_return(emitter_);
  const std::uint32_t guarded = is_valid ? emitter_.end_guard() : 0;
  if (guarded != 0) guarded_returns_.push_back({at.bci, guarded, 0});
  inserted.before = emitter_.end_place(depth);
}

// Recognises the return of ProbeEmitter::resume(). Compilers of the program make nothing like it unless they drop an
// exception unseen.
bool MethodRewriter::is_resumed(std::size_t at_return) const {
  const std::span<const Instruction> all = instructions_.all();
  const std::size_t before = all[at_return].opcode == opcode::kReturn ? 1 : 2;
  if (at_return < before) return false;
  const Instruction& first = all[at_return - before];
  return first.opcode == opcode::kPop && instructions_.is_handler(first.bci);
}

void MethodRewriter::add_tail_handler(bool before_super, TailHandler::Kept kept) {
  tail_.push_back({tail_bytes_, before_super, kept});
  tail_bytes_ += emitter_.end_place(kOnlyException);
}

// A last handler that takes what the others leave, and throws it on.
void MethodRewriter::emit_unwind(const MethodHeader& method) {
  std::optional<std::uint32_t> from = 0;
  // Before it is initialised `this` must stay in sight of the verifier, which the handler's frame
  // cannot do.
  if (method.name == "<init>") from = behind_constructor_call(instructions_, calls_, owner_);
  if (super_call_ && !from) {
    const std::uint32_t bci = calls_[*super_call_].bci;
    from =
        bci + kInvokeBytes < code_.code.size() ? std::optional(bci + kInvokeBytes) : std::nullopt;
  }
  if (!from) return;
  unwind_from_ = *from;
  unwinds_ = emit_unwind_handler(false);
  // Where `this` is not initialised the verifier must be told.
  if (!unwinds_ || !super_call_ || owner_.major_version < kFirstVersionWithStackMaps) return;
  const auto throws = [](const Instruction& at) { return may_throw(at.opcode); };
  const std::span<const Instruction> all = std::as_const(instructions_).all();
  const auto super = std::ranges::lower_bound(all, calls_[*super_call_].bci, {}, &Instruction::bci);
  if (std::none_of(all.begin(), super, throws)) return;
  before_super_ = tail_bytes_;
  emit_unwind_handler(true);
}

// Returns false if the probes emit nothing. What they throw does not replace the exception.
bool MethodRewriter::emit_unwind_handler(bool before_super) {
  emitter_.begin_guard(opcode::kAthrow);
  probes_.unwind(emitter_);
  const std::uint32_t guarded = emitter_.end_guard();
  if (emitter_.place_is_empty()) return false;
  emitter_.append(std::array<std::uint8_t, 1>{opcode::kAthrow});
  add_tail_handler(before_super, TailHandler::Kept::kNothing);
  if (guarded == 0) return true;
  const std::uint32_t end = tail_bytes_ - kAthrowBytes;
  tail_ranges_.push_back({end - guarded, end, tail_bytes_});
  emitter_.resume(opcode::kAthrow);
  add_tail_handler(before_super, TailHandler::Kept::kException);
  return true;
}

void MethodRewriter::emit_joined_return() {
  if (!joined_) return;
  emitter_.begin_guard(return_);
  probes_.before_return(emitter_);
  const std::uint32_t guarded = emitter_.end_guard();
  emitter_.append(std::array<std::uint8_t, 1>{return_});
  const std::uint32_t position = tail_bytes_;
  tail_.push_back({position, false, TailHandler::Kept::kJoined});
  tail_bytes_ += emitter_.end_place(kStackEffect[return_].pops);
  joined_ = {position, guarded, tail_bytes_ - kReturnBytes};
}

// Returns where the handler begins.
std::uint32_t MethodRewriter::emit_resumed_return() {
  using Kept = TailHandler::Kept;
  const std::uint32_t position = tail_bytes_;
  const Kept kept = return_ == opcode::kReturn ? Kept::kNothing : Kept::kResult;
  probes_.before_drop(emitter_);
  if (!emitter_.place_is_empty()) {
    emitter_.append(std::array<std::uint8_t, 1>{opcode::kAthrow});
    add_tail_handler(false, kept);
    tail_ranges_.push_back({position, tail_bytes_ - kAthrowBytes, tail_bytes_});
  }
  emitter_.resume(return_);
  add_tail_handler(false, kept);
  return position;
}

// One handler serves all returns, which have a frame in common. Without frames the verifier would merge what locals hold at
// each, and load classes for that.
void MethodRewriter::emit_resumed_returns() {
  const bool is_shared = owner_.major_version >= kFirstVersionWithStackMaps;
  std::optional<std::uint32_t> handler;
  const auto next_handler = [&] {
    if (!handler || !is_shared) handler = emit_resumed_return();
    return *handler;
  };
  for (GuardedReturn& guarded : guarded_returns_) guarded.handler = next_handler();
  if (joined_ && joined_->bytes != 0) {
    tail_ranges_.push_back({joined_->end - joined_->bytes, joined_->end, next_handler()});
  }
}

bool MethodRewriter::needs_new_stack_map() const {
  return !tail_.empty() && owner_.major_version >= kFirstVersionWithStackMaps &&
         std::none_of(code_.parts.begin(), code_.parts.end(),
                      [](const CodePart& part) { return part.kind == CodePartKind::kStackMap; });
}

void MethodRewriter::emit_probes(const MethodHeader& method) {
  insertions_.clear();
  behind_enters_.clear();
  guarded_.clear();
  guarded_returns_.clear();
  tail_.clear();
  tail_ranges_.clear();
  tail_bytes_ = 0;
  unwinds_ = false;
  before_super_.reset();
  joined_.reset();
  return_ = return_instruction(method.descriptor);
  probes_.entry(emitter_);
  entry_bytes_ = emitter_.end_place(0);
  emitter_.end_entry();
  depths_.compute(instructions_, pool_, code_.max_stack);
  const auto returns = [](const Instruction& at) { return is_return(at.opcode); };
  joins_returns_ = form_ != Form::kWhole && owner_.major_version >= kFirstVersionWithStackMaps &&
                   std::ranges::count_if(instructions_.all(), returns) > 1;
  std::size_t call = 0;
  std::size_t allocation = 0;
  std::size_t thrown = 0;
  const std::span<Instruction> all = instructions_.all();
  for (std::size_t i = 0; i < all.size(); ++i) {
    Instruction& at = all[i];
    Insertion inserted{at.bci, 0, 0, 0};
    if (instructions_.is_handler(at.bci)) emit_handler_start(inserted, depths_.before(i));
    if (is_invoke(at.opcode)) {
      probes_.before_call(emitter_, call);
      inserted.before = emitter_.end_place(depths_.before(i));
      probes_.after_call(emitter_, call);
      inserted.after = emitter_.end_place(depths_.behind(i));
      ++call;
    } else if (is_allocation(at.opcode)) {
      probes_.after_allocation(emitter_, allocation++);
      inserted.after = emitter_.end_place(depths_.behind(i));
    } else if (is_return(at.opcode)) {
      if (!probes_.follows_another() || !is_resumed(i))
        emit_return(at, depths_.before(i), inserted);
    } else if (at.opcode == opcode::kAthrow) {
      probes_.before_throw(emitter_, thrown++);
      inserted.before = emitter_.end_place(depths_.before(i));
    } else if (const auto* enter = monitor_place(at.bci, MonitorPlace::Kind::kEnter)) {
      emit_monitor_enter(*enter, i, inserted);
    } else if (const auto* exit = monitor_place(at.bci, MonitorPlace::Kind::kExit)) {
      probes_.before_monitor_exit(emitter_, exit->level);
      inserted.before = emitter_.end_place(depths_.before(i));
    }
    if (inserted.handler_start + inserted.before + inserted.after > 0) {
      insertions_.push_back(inserted);
    }
  }
  emit_unwind(method);
  emit_joined_return();
  emit_resumed_returns();
}

// Returns false if a conditional branch is too far from its target and has no stack map frame
// behind it.
bool MethodRewriter::compute_layout() {
  std::vector<std::uint32_t> frames;
  bool frames_read = false;
  return layout_.compute(
      instructions_, entry_bytes_, insertions_, tail_bytes_, [&](std::uint32_t next_bci) {
        const auto part =
            std::find_if(code_.parts.begin(), code_.parts.end(),
                         [](const CodePart& p) { return p.kind == CodePartKind::kStackMap; });
        const bool no_frames =
            owner_.major_version < kFirstVersionWithStackMaps || part == code_.parts.end();
        if (no_frames) return true;  // the verifier infers types
        if (!frames_read) frames = frame_bcis(part->content);
        frames_read = true;
        return std::binary_search(frames.begin(), frames.end(), next_bci);
      });
}

std::uint32_t MethodRewriter::new_max_stack() const noexcept {
  return std::max<std::uint32_t>(code_.max_stack, emitter_.max_stack());
}

GuardedHandler MethodRewriter::guarded(std::uint32_t handler) const noexcept {
  const std::uint32_t body = layout_.handler_body(handler);
  return {handler, body - emitter_.bytes_from_resume(), body - emitter_.bytes_from_rejoin()};
}

std::optional<SkipReason> MethodRewriter::check_size(const MethodHeader& method) {
  // A class initialiser runs once: it may as well be interpreted.
  const bool may_be_huge = code_.code.size() > kHotSpotHugeMethodBytes || method.name == "<clinit>";
  const std::uint32_t limit = may_be_huge ? kMaxCodeBytes : kHotSpotHugeMethodBytes;
  if (!compute_layout()) return SkipReason::kCodeTooLarge;
  if (layout_.size() > kMaxCodeBytes) return SkipReason::kCodeTooLarge;
  if (layout_.size() > limit) return SkipReason::kHugeMethod;
  if (new_max_stack() > kMaxU2) return SkipReason::kCodeTooLarge;
  return std::nullopt;
}

// Code behind a monitorenter is covered like the instruction that follows: what it throws must give the
// monitor back.
std::uint32_t MethodRewriter::range_edge(std::uint32_t bci) const {
  const auto behind = [](const Insertion& enter) { return enter.bci + kMonitorBytes; };
  const auto found = std::ranges::lower_bound(behind_enters_, bci, {}, behind);
  const bool is_behind = found != behind_enters_.end() && behind(*found) == bci;
  return layout_.label(bci) - (is_behind ? found->after : 0);
}

void MethodRewriter::write_ranges(ByteWriter& out) {
  range_indices_.clear();
  const std::size_t count_at = out.size();
  std::uint32_t count = 0;
  out.u2(0);
  const auto write = [&](std::uint32_t start, std::uint32_t end, std::uint32_t handler,
                         std::uint16_t catch_type) {
    if (start == end) return;
    out.u2(start);
    out.u2(end);
    out.u2(handler);
    out.u2(catch_type);
    ++count;
  };
  // Guards first: the JVM takes the first range that covers an instruction.
  for (const GuardedHandler& guard : guarded_handlers_) {
    write(layout_.label(guard.bci) + emitter_.bytes_to_begin(), guard.resume, guard.resume, 0);
  }
  const std::uint32_t tail = layout_.tail();
  for (const GuardedReturn& guarded : guarded_returns_) {
    const std::uint32_t end = layout_.instruction(guarded.bci);
    write(end - guarded.bytes, end, tail + guarded.handler, 0);
  }
  for (const TailRange& range : tail_ranges_) {
    write(tail + range.begin, tail + range.end, tail + range.handler, 0);
  }
  for (const ExceptionRange& range : code_.ranges) {
    range_indices_.push_back(static_cast<std::uint16_t>(count));
    write(range_edge(range.start), range_edge(range.end), layout_.label(range.handler),
          range.catch_type);
  }
  if (before_super_) {
    // Not the call itself: to the verifier `this` is both initialised and not where it throws.
    const std::uint32_t call = layout_.instruction(calls_[*super_call_].bci);
    write(layout_.label(0), call, tail + *before_super_, 0);
    write(call + kInvokeBytes, layout_.label(code_.code.size()), tail, 0);
  } else if (unwinds_) {
    write(layout_.label(unwind_from_), layout_.label(code_.code.size()), tail, 0);
  }
  out.patch_u2(count_at, count);
}

MethodOutcome MethodRewriter::write_stack_map(const CodePart& part, const MethodHeader& method,
                                              ByteWriter& out) {
  const FrameOrigin origin{
      .is_static = (method.access & kAccStatic) != 0,
      .is_constructor = method.name == "<init>" && !owner_.super_name.empty(),
      .descriptor = method.descriptor,
      .this_class = owner_.this_class,
      .max_locals = code_.max_locals,
  };
  const std::size_t begin = out.size();
  switch (stack_maps_.rewrite(part.content, origin, probes_.locals(), guarded_handlers_, tail_,
                              throwable_class_, stack_map_budget_, out)) {
    case StackMapOutcome::kDone:
      stack_map_budget_ -= std::min(stack_map_budget_, out.size() - begin);
      return MethodOutcome::kRewritten;
    case StackMapOutcome::kPoolFull:
      return skip(SkipReason::kConstantPoolFull);
    case StackMapOutcome::kTooLarge:
      return skip(SkipReason::kStackMapTooLarge);
    case StackMapOutcome::kUnknown:
      return skip(SkipReason::kUnknownStackMap);
    case StackMapOutcome::kMalformed:
      break;
  }
  return MethodOutcome::kMalformed;
}

MethodOutcome MethodRewriter::write_part(const CodePart& part, const MethodHeader& method,
                                         ByteWriter& out) {
  bool ok = true;
  switch (part.kind) {
    case CodePartKind::kLineNumbers:
      ok = remap_line_numbers(part.content, layout_, out);
      break;
    case CodePartKind::kLocalVariables:
      ok = remap_local_variables(part.content, layout_, out);
      break;
    case CodePartKind::kTypeAnnotations:
      ok = remap_type_annotations(part.content, layout_, range_indices_, out);
      break;
    case CodePartKind::kStackMap:
      // Also in classes before version 50, where the JVM ignores it but tools may read it.
      return write_stack_map(part, method, out);
    case CodePartKind::kObsolete:
    case CodePartKind::kOther:
      out.bytes(part.content);
      break;
  }
  return ok ? MethodOutcome::kRewritten : MethodOutcome::kMalformed;
}

MethodOutcome MethodRewriter::write_parts(const MethodHeader& method, ByteWriter& out) {
  // Obsolete parts are left out: copied, their bytecode indices would mislead other tools.
  const auto kept = std::count_if(code_.parts.begin(), code_.parts.end(), [](const CodePart& part) {
    return part.kind != CodePartKind::kObsolete;
  });
  const bool with_new_map = needs_new_stack_map();
  out.u2(static_cast<std::uint32_t>(kept) + (with_new_map ? 1 : 0));
  for (const CodePart& part : code_.parts) {
    if (part.kind == CodePartKind::kObsolete) continue;
    out.u2(part.name_index);
    const std::size_t length_at = out.size();
    out.u4(0);
    const MethodOutcome outcome = write_part(part, method, out);
    if (outcome != MethodOutcome::kRewritten) return outcome;
    out.patch_u4(length_at, static_cast<std::uint32_t>(out.size() - length_at - 4));
  }
  return with_new_map ? write_new_stack_map(method, out) : MethodOutcome::kRewritten;
}

// For a method that had no branches and hence no frames.
MethodOutcome MethodRewriter::write_new_stack_map(const MethodHeader& method, ByteWriter& out) {
  constexpr std::array<std::uint8_t, 2> kNoFrames = {0, 0};
  const std::uint16_t name = pool_.add_utf8("StackMapTable");
  if (name == 0) return skip(SkipReason::kConstantPoolFull);
  out.u2(name);
  const std::size_t length_at = out.size();
  out.u4(0);
  const MethodOutcome outcome =
      write_stack_map({name, CodePartKind::kStackMap, kNoFrames}, method, out);
  out.patch_u4(length_at, static_cast<std::uint32_t>(out.size() - length_at - 4));
  return outcome;
}

// Emits the probes, and in the next form if the method would be too large with them.
std::optional<SkipReason> MethodRewriter::emit(const MethodHeader& method) {
  const bool may_be_bare = !code_.ranges.empty() && !probes_.needs_handler_start();
  const Form last = may_be_bare ? Form::kBareHandlers : Form::kJoinedReturns;
  for (form_ = Form::kWhole;; form_ = static_cast<Form>(static_cast<int>(form_) + 1)) {
    if (!emitter_.begin_method(probes_.locals(), code_.max_locals, owner_.this_class))
      return SkipReason::kCodeTooLarge;
    emit_probes(method);
    if (emitter_.misuse() != nullptr) return SkipReason::kMalformed;
    const bool needs_throwable = !tail_.empty() || !guarded_.empty();
    throwable_class_ = needs_throwable ? pool_.add_class("java/lang/Throwable") : 0;
    if (emitter_.pool_full() || (needs_throwable && throwable_class_ == 0))
      return SkipReason::kConstantPoolFull;
    const auto reason = check_size(method);
    if (form_ == last || reason != SkipReason::kHugeMethod) return reason;
  }
}

MethodOutcome MethodRewriter::rewrite(const MethodHeader& method,
                                      std::span<const std::uint8_t> content, ByteWriter& out) {
  if (!code_.parse(content, pool_) || !arguments_fit(method, code_.max_locals) ||
      !instructions_.decode(code_.code, code_.ranges) ||
      !find_calls(instructions_, code_, pool_, calls_) ||
      !find_allocations(instructions_, code_, pool_, allocations_)) {
    return MethodOutcome::kMalformed;
  }
  find_throws(instructions_, code_, throws_);
  if (!wanted(method)) return MethodOutcome::kUnwanted;
  if (instructions_.has_subroutines()) return skip(SkipReason::kJsrRet);
  if (const auto reason = emit(method))
    return *reason == SkipReason::kMalformed ? MethodOutcome::kMalformed : skip(*reason);
  // The handlers of unwinding add two more ranges at most (write_ranges()).
  const std::size_t guards = guarded_.size() + guarded_returns_.size() + tail_ranges_.size();
  if (code_.ranges.size() + guards + 2 > kMaxU2 || emitter_.max_locals() > kMaxU2) {
    return skip(SkipReason::kCodeTooLarge);
  }
  guarded_handlers_.clear();
  for (const std::uint32_t handler : guarded_) guarded_handlers_.push_back(guarded(handler));
  for (TailHandler& handler : tail_) handler.position += layout_.tail();
  out.u2(new_max_stack());
  out.u2(emitter_.max_locals());
  out.u4(layout_.size());
  layout_.encode(emitter_.code(), joined_ ? joined_->position : 0, out);
  write_ranges(out);
  for (std::size_t i = 0; i < calls_.size(); ++i) {
    probes_.moved_call(i, layout_.instruction(calls_[i].bci));
  }
  return write_parts(method, out);
}

}  // namespace copse::classfile
