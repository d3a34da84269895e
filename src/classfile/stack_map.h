// Moves stack maps (StackMapTable, JVMS 4.7.4) with the code, and declares the probes' locals in
// them.
//
// With probe locals, a frame's locals are the original ones, padded with top up to the method's own
// max_locals, then the probe locals. The padding makes equal frames stay equal, so `same` frames
// stay `same`; frames that add or drop locals become full ones.
//
// A constructor's frame may name the fields that are not set yet, and must be before the superclass's constructor is
// called (early larval frame, JEP 401, in preview). It wraps a frame of another form.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "classfile/code_layout.h"
#include "classfile/constant_pool.h"
#include "classfile/method_analysis.h"
#include "classfile/probe_set.h"

namespace copse::classfile {

// Facts that determine the verifier's frame at the method's start.
struct FrameOrigin {
  bool is_static;
  bool is_constructor;  // in a class with a superclass: `this` starts uninitialized
  std::string_view descriptor;
  std::uint16_t this_class;
  std::uint16_t max_locals;
};

// Code behind the method's: a handler, or with kJoined the return that others jump to, which has the result on the stack. Only
// the probe locals are known there, and what is kept behind them.
struct TailHandler {
  enum class Kept : std::uint8_t { kNothing, kException, kResult, kJoined };

  std::uint32_t position;  // in the new code
  bool before_super;       // `this` of the constructor is not initialised
  Kept kept;
};

// A handler whose start is guarded (ProbeEmitter::begin_guard()). Positions are in the new code.
struct GuardedHandler {
  std::uint32_t bci;
  std::uint32_t resume;
  std::uint32_t rejoin;
};

enum class StackMapOutcome { kDone, kMalformed, kUnknown, kPoolFull, kTooLarge };

class StackMapRewriter {
 public:
  StackMapRewriter(ConstantPool& pool, const CodeLayout& layout) : pool_(pool), layout_(layout) {}

  // Appends the content of the new attribute to `out`. For each of the guarded handlers, sorted by bci, two more frames
  // stand where it resumes and where it rejoins. `tail` is sorted by position. `throwable_class`: index of the constant,
  // needed for guarded handlers and the tail. Stops with kTooLarge when it would write more than `budget` bytes: hostile
  // frames could ask for gigabytes.
  StackMapOutcome rewrite(std::span<const std::uint8_t> content, const FrameOrigin& origin,
                          std::span<const LocalKind> probe_locals,
                          std::span<const GuardedHandler> guarded_handlers,
                          std::span<const TailHandler> tail, std::uint16_t throwable_class,
                          std::size_t budget, ByteWriter& out);

 private:
  struct Type {
    std::uint8_t tag;
    std::uint16_t data;  // class index, bci of `new`, or index into parameters_
    friend bool operator==(const Type&, const Type&) = default;
  };

  bool start(const FrameOrigin& origin);
  bool read_frame(ByteReader& in);
  bool read_type(ByteReader& in, std::vector<Type>& types);
  bool read_full(ByteReader& in);
  bool read_unset_fields(ByteReader& in);
  void write_frame(std::uint32_t position, ByteWriter& out);
  void write_guard(const GuardedHandler& handler, std::uint16_t throwable_class, ByteWriter& out);
  void write_tail(const TailHandler& handler, bool is_like_last, std::string_view descriptor,
                  std::uint16_t throwable_class, ByteWriter& out);
  Type result_type(std::string_view descriptor);  // REQUIRES: not void
  void write_unset_fields(ByteWriter& out);
  void write_header(std::uint8_t short_form, std::uint8_t long_form, std::uint32_t delta,
                    ByteWriter& out) const;
  void write_full(std::uint32_t delta, ByteWriter& out);
  void write_append(std::uint32_t delta, ByteWriter& out);
  void write_type(Type& type, ByteWriter& out);
  void write_probe_locals(ByteWriter& out) const;
  std::uint32_t padding() const noexcept { return max_locals_ - slots_; }

  // Change of a frame's locals against the previous frame.
  enum class Change { kNone, kAppend, kChop, kFull };

  ConstantPool& pool_;
  const CodeLayout& layout_;
  std::span<const LocalKind> probe_locals_;
  std::vector<std::string_view> parameters_;  // types of reference parameters, as class names
  std::vector<Type> locals_;                  // of the current frame, without padding
  std::vector<Type> stack_;
  std::vector<Type> full_;    // scratch
  std::optional<Type> kept_;  // type of the local behind the probes' own, at the frame of a guard
  std::uint32_t max_locals_ = 0;
  std::uint32_t slots_ = 0;  // slots of locals_
  std::uint32_t bci_ = 0;
  Change change_ = Change::kNone;
  std::uint32_t changed_count_ = 0;  // locals appended or chopped
  bool first_ = true;                // no frame read yet
  bool first_written_ = true;        // no frame written yet
  std::uint32_t last_position_ = 0;
  bool pool_full_ = false;
  bool is_unknown_ = false;  // a frame or type that is reserved was met
  // Fields that are not set yet at the current frame, which says so itself; constants.
  std::optional<std::vector<std::uint16_t>> unset_fields_;
  bool has_unset_fields_ = false;  // some frame said so
};

// Returns the bcis of a StackMapTable's frames, ascending; empty if malformed.
std::vector<std::uint32_t> frame_bcis(std::span<const std::uint8_t> content);

// Returns the frames of a constructor with so many parameters. `this` is initialised at a frame if
// no local stands for the uninitialised one.
std::vector<ConstructorFrame> constructor_frames(std::span<const std::uint8_t> content,
                                                 std::size_t parameters);

}  // namespace copse::classfile
