// The CodeEmitter to which probes of one class write.
//
// Probe code has no branches, so it can be written once and placed anywhere. Errors are sticky:
// check for a full constant pool and for misuse by the probe set after each method.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/byte_writer.h"
#include "classfile/constant_pool.h"
#include "classfile/probe_set.h"

namespace copse::classfile {

class ProbeEmitter final : public CodeEmitter {
 public:
  explicit ProbeEmitter(ConstantPool& pool) : pool_(pool) {}

  // Starts a method of the class `own_class`, an index into the constant pool. The method's own
  // locals end at `max_locals`. Returns false without room for the probes' locals.
  bool begin_method(std::span<const LocalKind> locals, std::uint16_t max_locals,
                    std::uint16_t own_class);
  // Appends code of the rewriter to the same place. REQUIRES: it does not touch the stack.
  void append(std::span<const std::uint8_t> code) { code_.bytes(code); }

  // Keeps a copy of the value that `instruction`, an xreturn or athrow, takes off the stack: what the code up to
  // end_guard() throws may then be dropped. The copy is in K, a local behind the probes' own; nothing else uses it.
  void begin_guard(std::uint8_t instruction);
  // Returns the bytes of code since begin_guard(). Returns 0, and leaves the copy out, if that code calls nothing and so
  // throws nothing.
  std::uint32_t end_guard();
  // Appends the handler of what guarded code throws, outside of the normal flow: pop, load K, and the instruction.
  void resume(std::uint8_t instruction);
  // Appends the same to the guarded code of a handler's start, which then runs with its own exception:
  //
  //             dup, astore K
  //     begin:  guarded code
  //             goto rejoin
  //     resume: pop, aload K
  //     rejoin: aconst_null, astore K
  //
  // The detour keeps `resume` out of the normal flow: HotSpot's C1 does not compile methods in which
  // an exception handler is also reached otherwise. The last two instructions keep K from holding the exception
  // longer than the program does.
  void rejoin();
  // Bytes from the start of such code to `begin`, and from `resume` and `rejoin` to its end. The same in all of the
  // method. The verifier wants K to hold the exception in all of a range whose handler is `resume`: from `begin` on.
  std::uint32_t bytes_to_begin() const noexcept;
  std::uint32_t bytes_from_resume() const noexcept;
  std::uint32_t bytes_from_rejoin() const noexcept;

  // Ends a place and returns the bytes of code written there. `depth`: stack slots of the method's
  // own values there. REQUIRES: the code left the stack as it was, except for `left` slots that the
  // next place takes off.
  std::uint32_t end_place(std::uint32_t depth, std::int32_t left = 0);
  // Ends the entry code. Every probe local must hold a value then, since stack maps declare it.
  void end_entry();

  bool place_is_empty() const noexcept { return code_.size() == place_begin_; }

  std::span<const std::uint8_t> code() const noexcept { return code_.view(); }
  // Slots of all locals, K included; above 65,535 the class file cannot have them.
  std::uint32_t max_locals() const noexcept { return max_locals_ + kept_slots_; }
  // Stack slots that the method's probes need, each at the depth of its place.
  std::uint32_t max_stack() const noexcept { return max_stack_; }
  bool pool_full() const noexcept { return pool_full_; }
  const char* misuse() const noexcept { return misuse_; }  // nullptr: none

  void push_int(std::int32_t value) override;
  void push_long(std::int64_t value) override;
  void load_local(std::size_t probe_local) override;
  void store_local(std::size_t probe_local) override;
  void load_own(std::uint32_t slot, char type) override;
  void push_own_class() override;
  void op(std::uint8_t opcode) override;
  void invoke_static(std::string_view owner, std::string_view name,
                     std::string_view descriptor) override;

 private:
  struct Callee {
    std::string owner, name, descriptor;
    std::uint16_t index;
    std::int32_t pops, pushes;
  };

  void pop(std::int32_t slots);
  void push(std::int32_t slots);
  void access_local(std::uint8_t int_opcode, std::size_t probe_local);
  void access_slot(std::uint8_t op, std::uint32_t first_short, std::uint32_t slot);
  void access_kept(std::uint8_t of_int, std::uint32_t first_short, std::uint8_t instruction);
  void load_constant(std::uint16_t index);
  const Callee* callee(std::string_view owner, std::string_view name, std::string_view descriptor);

  ConstantPool& pool_;
  std::vector<Callee> callees_;  // callees in the class so far, a handful
  ByteWriter code_;
  std::span<const LocalKind> locals_;
  std::vector<std::uint16_t> slots_;  // by probe local
  std::vector<bool> stored_;          // by probe local: written by the entry code
  std::size_t place_begin_ = 0;
  std::int32_t depth_ = 0;
  std::int32_t max_depth_ = 0;  // at this place
  std::uint32_t max_stack_ = 0;
  std::uint32_t max_locals_ = 0;  // without K
  std::uint32_t kept_slots_ = 0;  // slots of K; 0: the method has no guard
  // The guard that was begun last.
  struct Guard {
    std::size_t place, begin;  // where the copy is made; where the guarded code begins
    std::uint32_t slots;       // that the copy takes
    std::int32_t max_depth;    // at the place, before and with the copy
    std::int32_t max_depth_with_copy;
    bool calls;  // the code calls something
  };
  Guard guard_{};
  std::uint16_t own_class_ = 0;
  bool pool_full_ = false;
  const char* misuse_ = nullptr;
};

}  // namespace copse::classfile
