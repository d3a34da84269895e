#include "classfile/stack_map.h"

#include <algorithm>

#include "classfile/descriptor.h"

namespace copse::classfile {
namespace {

enum TypeTag : std::uint8_t {
  kTop = 0,
  kInteger = 1,
  kFloat = 2,
  kDouble = 3,
  kLong = 4,
  kUninitializedThis = 6,
  kObject = 7,
  kUninitialized = 8,
  kParameter = 255,  // ours: an object of a parameter's class, its constant not yet looked up
};

enum FrameType : std::uint8_t {
  kSame = 0,
  kSameOneStackItem = 64,
  kFirstReserved = 128,
  kEarlyLarval = 246,
  kSameOneStackItemExtended = 247,
  kSameExtended = 251,  // 248..250 chop 3..1 locals, 252..254 append 1..3
  kFull = 255,
};

constexpr std::uint32_t kMaxShortDelta = 63;
constexpr std::uint32_t kMaxDeltaLocals = 3;

constexpr std::uint32_t width_of(std::uint8_t tag) noexcept {
  return tag == kDouble || tag == kLong ? 2 : 1;
}

constexpr TypeTag primitive_tag(char type) noexcept {
  switch (type) {
    case 'J':
      return kLong;
    case 'D':
      return kDouble;
    case 'F':
      return kFloat;
    default:
      return kInteger;
  }
}

}  // namespace

bool StackMapRewriter::start(const FrameOrigin& origin) {
  max_locals_ = origin.max_locals;
  parameters_.clear();
  locals_.clear();
  slots_ = 0;
  first_ = first_written_ = true;
  pool_full_ = false;
  const auto add = [&](std::uint8_t tag, std::uint16_t data) {
    locals_.push_back({tag, data});
    slots_ += width_of(tag);
  };
  if (!origin.is_static) {
    if (origin.is_constructor) {
      add(kUninitializedThis, 0);
    } else {
      add(kObject, origin.this_class);
    }
  }
  DescriptorReader reader(origin.descriptor);
  while (const auto type = reader.take_parameter()) {
    if (slots_ > max_locals_) return false;
    if (type->front() == 'L') {
      add(kParameter, static_cast<std::uint16_t>(parameters_.size()));
      parameters_.push_back(type->substr(1, type->size() - 2));
    } else if (type->front() == '[') {
      add(kParameter, static_cast<std::uint16_t>(parameters_.size()));
      parameters_.push_back(*type);
    } else {
      add(primitive_tag(type->front()), 0);
    }
  }
  return reader.ok() && slots_ <= max_locals_;
}

bool StackMapRewriter::read_type(ByteReader& in, std::vector<Type>& types) {
  Type type{in.u1(), 0};
  if (type.tag > kUninitialized) {
    is_unknown_ = true;
    return false;
  }
  if (type.tag >= kObject) type.data = in.u2();
  if (type.tag == kUninitialized && !layout_.original().starts_at(type.data)) return false;
  types.push_back(type);
  return in.ok();
}

bool StackMapRewriter::read_full(ByteReader& in) {
  full_.clear();
  const std::uint32_t local_count = in.u2();
  std::uint32_t slots = 0;
  for (std::uint32_t i = 0; i < local_count; ++i) {
    if (!read_type(in, full_)) return false;
    slots += width_of(full_.back().tag);
  }
  const std::uint32_t stack_count = in.u2();
  for (std::uint32_t i = 0; i < stack_count; ++i) {
    if (!read_type(in, stack_)) return false;
  }
  change_ = full_ == locals_ && stack_.size() <= 1 ? Change::kNone : Change::kFull;
  locals_.swap(full_);
  slots_ = slots;
  return true;
}

bool StackMapRewriter::read_unset_fields(ByteReader& in) {
  has_unset_fields_ = true;
  const std::uint32_t count = in.u2();
  unset_fields_.emplace();
  for (std::uint32_t i = 0; i < count && in.ok(); ++i) unset_fields_->push_back(in.u2());
  return in.ok();
}

bool StackMapRewriter::read_frame(ByteReader& in) {
  std::uint8_t type = in.u1();
  unset_fields_.reset();
  if (type == kEarlyLarval) {
    if (!read_unset_fields(in)) return false;
    type = in.u1();
  }
  std::uint32_t delta;
  change_ = Change::kNone;
  changed_count_ = 0;
  stack_.clear();
  if (type < kFirstReserved) {
    delta = type & kMaxShortDelta;
    if (type >= kSameOneStackItem && !read_type(in, stack_)) return false;
  } else if (type < kSameOneStackItemExtended) {
    is_unknown_ = true;
    return false;
  } else {
    delta = in.u2();
    if (type == kSameOneStackItemExtended) {
      if (!read_type(in, stack_)) return false;
    } else if (type < kSameExtended) {
      change_ = Change::kChop;
      changed_count_ = std::uint32_t{kSameExtended} - type;
      if (changed_count_ > locals_.size()) return false;
      for (std::uint32_t i = 0; i < changed_count_; ++i) {
        slots_ -= width_of(locals_.back().tag);
        locals_.pop_back();
      }
    } else if (type == kFull) {
      if (!read_full(in)) return false;
    } else if (type > kSameExtended) {
      change_ = Change::kAppend;
      changed_count_ = std::uint32_t{type} - kSameExtended;
      for (std::uint32_t i = 0; i < changed_count_; ++i) {
        if (!read_type(in, locals_)) return false;
        slots_ += width_of(locals_.back().tag);
      }
    }
  }
  bci_ = first_ ? delta : bci_ + delta + 1;
  first_ = false;
  return in.ok() && slots_ <= max_locals_ && layout_.original().starts_at(bci_);
}

void StackMapRewriter::write_type(Type& type, ByteWriter& out) {
  if (type.tag == kParameter) {
    const std::uint16_t index = pool_.add_class(parameters_[type.data]);
    if (index == 0) pool_full_ = true;
    type = {kObject, index};
  }
  out.u1(type.tag);
  if (type.tag == kObject) out.u2(type.data);
  if (type.tag == kUninitialized) out.u2(layout_.instruction(type.data));
}

void StackMapRewriter::write_probe_locals(ByteWriter& out) const {
  for (const LocalKind kind : probe_locals_) out.u1(kind == LocalKind::kLong ? kLong : kInteger);
}

void StackMapRewriter::write_full(std::uint32_t delta, ByteWriter& out) {
  const std::uint32_t pad = probe_locals_.empty() && !kept_ ? 0 : padding();
  out.u1(kFull);
  out.u2(delta);
  out.u2(static_cast<std::uint32_t>(locals_.size() + pad + probe_locals_.size() + (kept_ ? 1 : 0)));
  for (Type& type : locals_) write_type(type, out);
  for (std::uint32_t i = 0; i < pad; ++i) out.u1(kTop);
  write_probe_locals(out);
  if (kept_) write_type(*kept_, out);
  out.u2(static_cast<std::uint32_t>(stack_.size()));
  for (Type& type : stack_) write_type(type, out);
}

// The frame's own new locals, and in the first frame the padding and the probe locals too.
void StackMapRewriter::write_append(std::uint32_t delta, ByteWriter& out) {
  const bool with_probes = first_written_ && !probe_locals_.empty();
  const std::uint32_t pad = with_probes ? padding() : 0;
  const auto probes = static_cast<std::uint32_t>(with_probes ? probe_locals_.size() : 0);
  out.u1(kSameExtended + changed_count_ + pad + probes);
  out.u2(delta);
  for (std::size_t i = locals_.size() - changed_count_; i < locals_.size(); ++i) {
    write_type(locals_[i], out);
  }
  for (std::uint32_t i = 0; i < pad; ++i) out.u1(kTop);
  if (with_probes) write_probe_locals(out);
}

void StackMapRewriter::write_header(std::uint8_t short_form, std::uint8_t long_form,
                                    std::uint32_t delta, ByteWriter& out) const {
  if (delta <= kMaxShortDelta) {
    out.u1(short_form + delta);
  } else {
    out.u1(long_form);
    out.u2(delta);
  }
}

void StackMapRewriter::write_unset_fields(ByteWriter& out) {
  if (!unset_fields_) return;
  out.u1(kEarlyLarval);
  out.u2(static_cast<std::uint32_t>(unset_fields_->size()));
  for (const std::uint16_t field : *unset_fields_) out.u2(field);
}

void StackMapRewriter::write_frame(std::uint32_t position, ByteWriter& out) {
  write_unset_fields(out);
  const std::uint32_t delta = first_written_ ? position : position - last_position_ - 1;
  const bool probes = !probe_locals_.empty();
  if (probes && first_written_) {
    // Relative to the method's start, where neither padding nor probe locals exist yet.
    const bool grows = change_ == Change::kNone || change_ == Change::kAppend;
    const std::size_t added = changed_count_ + padding() + probe_locals_.size();
    if (grows && stack_.empty() && added <= kMaxDeltaLocals) {
      write_append(delta, out);
    } else {
      write_full(delta, out);
    }
  } else if (change_ == Change::kNone && stack_.empty()) {
    write_header(kSame, kSameExtended, delta, out);
  } else if (change_ == Change::kNone && stack_.size() == 1) {
    write_header(kSameOneStackItem, kSameOneStackItemExtended, delta, out);
    write_type(stack_.front(), out);
  } else if (!probes && change_ == Change::kChop) {
    out.u1(kSameExtended - changed_count_);
    out.u2(delta);
  } else if (!probes && change_ == Change::kAppend) {
    write_append(delta, out);
  } else {
    write_full(delta, out);
  }
  first_written_ = false;
  last_position_ = position;
}

// The frame where a handler rejoins is that of its start, and written in full: the one before it has one local more.
void StackMapRewriter::write_guard(const GuardedHandler& handler, std::uint16_t throwable_class,
                                   ByteWriter& out) {
  const Type caught = stack_.front();
  change_ = Change::kFull;
  kept_ = caught;
  stack_.front() = {kObject, throwable_class};
  write_frame(handler.resume, out);
  kept_.reset();
  stack_.front() = caught;
  write_frame(handler.rejoin, out);
}

StackMapRewriter::Type StackMapRewriter::result_type(std::string_view descriptor) {
  std::string_view type = descriptor.substr(descriptor.find(')') + 1);
  if (type.front() != 'L' && type.front() != '[') return {primitive_tag(type.front()), 0};
  if (type.front() == 'L') type = type.substr(1, type.size() - 2);
  const std::uint16_t index = pool_.add_class(type);
  if (index == 0) pool_full_ = true;
  return {kObject, index};
}

// `is_like_last`: the frame before has the same locals.
void StackMapRewriter::write_tail(const TailHandler& handler, bool is_like_last,
                                  std::string_view descriptor, std::uint16_t throwable_class,
                                  ByteWriter& out) {
  locals_.clear();
  if (handler.before_super) locals_.push_back({kUninitializedThis, 0});
  slots_ = handler.before_super ? 1 : 0;
  stack_ = {{kObject, throwable_class}};
  change_ = is_like_last ? Change::kNone : Change::kFull;
  if (handler.kept == TailHandler::Kept::kJoined) {
    stack_.clear();
    if (!descriptor.ends_with('V')) stack_.push_back(result_type(descriptor));
  }
  if (handler.kept == TailHandler::Kept::kException) kept_ = stack_.front();
  if (handler.kept == TailHandler::Kept::kResult) kept_ = result_type(descriptor);
  write_frame(handler.position, out);
  kept_.reset();
}

StackMapOutcome StackMapRewriter::rewrite(std::span<const std::uint8_t> content,
                                          const FrameOrigin& origin,
                                          std::span<const LocalKind> probe_locals,
                                          std::span<const GuardedHandler> guarded_handlers,
                                          std::span<const TailHandler> tail,
                                          std::uint16_t throwable_class, std::size_t budget,
                                          ByteWriter& out) {
  probe_locals_ = probe_locals;
  is_unknown_ = has_unset_fields_ = false;
  if (!start(origin)) return StackMapOutcome::kMalformed;
  const std::size_t begin = out.size();
  ByteReader in(content);
  const std::uint32_t count = in.u2();
  std::uint32_t written = count;
  out.u2(count);
  auto guarded = guarded_handlers.begin();
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!read_frame(in)) {
      return is_unknown_ ? StackMapOutcome::kUnknown : StackMapOutcome::kMalformed;
    }
    write_frame(layout_.label(bci_), out);
    while (guarded != guarded_handlers.end() && guarded->bci < bci_) ++guarded;
    if (guarded != guarded_handlers.end() && guarded->bci == bci_) {
      if (stack_.size() != 1) return StackMapOutcome::kMalformed;
      write_guard(*guarded, throwable_class, out);
      written += 2;
    }
    if (out.size() - begin > budget) return StackMapOutcome::kTooLarge;
  }
  if (!in.ok() || !in.at_end()) return StackMapOutcome::kMalformed;
  // Which fields are set where such a handler begins depends on where the exception comes from.
  if (has_unset_fields_ && std::ranges::any_of(tail, &TailHandler::before_super))
    return StackMapOutcome::kUnknown;
  unset_fields_.reset();
  const TailHandler* last = nullptr;
  for (const TailHandler& handler : tail) {
    const bool is_like_last =
        last != nullptr && last->kept == handler.kept && last->before_super == handler.before_super;
    write_tail(handler, is_like_last, origin.descriptor, throwable_class, out);
    last = &handler;
    ++written;
  }
  if (written > UINT16_MAX) return StackMapOutcome::kTooLarge;
  if (pool_full_) return StackMapOutcome::kPoolFull;
  out.patch_u2(begin, written);
  return StackMapOutcome::kDone;
}

namespace {

// Type of the next frame, behind the names of unset fields.
std::uint8_t take_frame_type(ByteReader& in) {
  const std::uint8_t type = in.u1();
  if (type != kEarlyLarval) return type;
  in.skip(2u * in.u2());
  return in.u1();
}

}  // namespace

std::vector<std::uint32_t> frame_bcis(std::span<const std::uint8_t> content) {
  const auto skip_types = [](ByteReader& in, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count && in.ok(); ++i) {
      if (in.u1() >= kObject) in.skip(2);
    }
  };
  std::vector<std::uint32_t> bcis;
  ByteReader in(content);
  const std::uint32_t count = in.u2();
  for (std::uint32_t i = 0; i < count && in.ok(); ++i) {
    const std::uint8_t type = take_frame_type(in);
    const std::uint32_t delta = type < kFirstReserved ? type & kMaxShortDelta : in.u2();
    if (type >= kSameOneStackItem && type < kFirstReserved) skip_types(in, 1);
    if (type == kSameOneStackItemExtended) skip_types(in, 1);
    if (type > kSameExtended && type < kFull) skip_types(in, std::uint32_t{type} - kSameExtended);
    if (type == kFull) {
      skip_types(in, in.u2());
      skip_types(in, in.u2());
    }
    bcis.push_back(bcis.empty() ? delta : bcis.back() + delta + 1);
  }
  if (!in.ok()) bcis.clear();
  return bcis;
}

std::vector<ConstructorFrame> constructor_frames(std::span<const std::uint8_t> content,
                                                 std::size_t parameters) {
  std::vector<std::uint8_t> locals(1 + parameters, kTop);
  locals[0] = kUninitializedThis;
  const auto read_types = [](ByteReader& in, std::uint32_t count, std::vector<std::uint8_t>* into) {
    for (std::uint32_t i = 0; i < count && in.ok(); ++i) {
      const std::uint8_t tag = in.u1();
      if (tag >= kObject) in.skip(2);
      if (into != nullptr) into->push_back(tag);
    }
  };
  std::vector<ConstructorFrame> frames;
  ByteReader in(content);
  const std::uint32_t count = in.u2();
  for (std::uint32_t i = 0; i < count && in.ok(); ++i) {
    const std::uint8_t type = take_frame_type(in);
    const std::uint32_t delta = type < kFirstReserved ? type & kMaxShortDelta : in.u2();
    if (type >= kSameOneStackItem && type < kFirstReserved) read_types(in, 1, nullptr);
    if (type == kSameOneStackItemExtended) read_types(in, 1, nullptr);
    if (type > kSameOneStackItemExtended && type < kSameExtended) {
      locals.resize(locals.size() - std::min<std::size_t>(locals.size(), kSameExtended - type));
    }
    if (type > kSameExtended && type < kFull) {
      read_types(in, std::uint32_t{type} - kSameExtended, &locals);
    }
    if (type == kFull) {
      locals.clear();
      read_types(in, in.u2(), &locals);
      read_types(in, in.u2(), nullptr);
    }
    const bool initialised =
        std::find(locals.begin(), locals.end(), std::uint8_t{kUninitializedThis}) == locals.end();
    frames.push_back({frames.empty() ? delta : frames.back().bci + delta + 1, initialised});
  }
  if (!in.ok()) frames.clear();
  return frames;
}

}  // namespace copse::classfile
