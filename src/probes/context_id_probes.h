// The probes of a run that keeps a context id in every thread and counts nothing.
//
//   entry          before = word(), frame = enter(before, place); mark(frame) if marked
//   before_call    call(frame, site)
//   after_call     restore(frame): no call site, as for calls by the JVM itself. Not if the next probe
//                  stores the word (needs_restore())
//   before_return  exit(before): the word of the entry, so that the next callback of uninstrumented
//                  code finds it
//   handler_start  restore(frame)
//   unwind         exit(before); with events unwind(before)
//
// Callees that run no probe of their own (CalleeKind) are entered by their callers, if necessary:
//
//   before_call    enterNative(frame, site, place) in place of call(); mark() of its result if marked
//
// With exact allocations:
//
//   after_allocation   allocated(frame, site, type) of new,
//                      allocatedArray(length, frame, site, type) of arrays,
//                      allocatedArrays(array, frame, site, dimensions) of multianewarray
//
// A method that can neither lead to another recorded call nor be asked for its context needs no
// probes. A call of a counted callee can lead to a recorded call, whatever the callee does: the JVM
// may have recorded code find its class, make the exception that it throws, or register a finalizer
// behind the constructor of Object. Such a call hangs under the caller's frame, without a call
// site.
//
// The encoder defines `place` and `site`: the number of a place, or a constant to be mixed in. In
// every case the sum of a frame's word and a site is the word for a call.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/ids.h"
#include "classfile/probe_set.h"
#include "probes/allocation_host.h"
#include "probes/shadow_stack_probes.h"

namespace copse::classfile {

// The encoder's operands for places in the program, for the probes, beside ProbeHost.
class PlaceHost {
 public:
  virtual ~PlaceHost() = default;
  // Returns the operand of enter(), for the method's "no call site". `sites`: number of its call
  // sites. std::nullopt means that the method gets no probes.
  virtual std::optional<std::int64_t> place(MethodId method, std::uint32_t sites) = 0;
  // Returns the operand of call(), to be added to the frame's word.
  virtual std::int64_t site(MethodId caller, SiteOrdinal site) = 0;
  // Returns true if entries of the method are events of interest. `class_name`: as in class files.
  virtual bool is_marked(std::string_view class_name, std::string_view method) = 0;
};

struct ContextIdProbeOptions {
  bool mark_all = false;              // all methods with probes; adds no probes
  bool long_operands = false;         // false: ints
  bool vm_exceptions_record = false;  // as in ShadowStackProbeOptions
  // True if the JVM reports events of interest, which any method can have. Then every method has
  // probes, and unwind() tells the throw that follows it from the program's own.
  bool has_events = false;
};

class ContextIdProbes final : public ProbeSet {
 public:
  // `allocations`: nullptr unless allocations are counted.
  ContextIdProbes(const ContextIdProbeOptions& options, ProbeHost& host, PlaceHost& places,
                  AllocationHost* allocations = nullptr)
      : options_(options), host_(host), places_(places), allocations_(allocations) {}

  bool begin(const MethodView& method) override;
  std::span<const LocalKind> locals() const override;
  void entry(CodeEmitter& code) override;
  void before_call(CodeEmitter& code, std::size_t call_index) override;
  void after_call(CodeEmitter& code, std::size_t call_index) override;
  void after_allocation(CodeEmitter& code, std::size_t allocation_index) override;
  void before_return(CodeEmitter& code) override;
  void before_drop(CodeEmitter& code) override;
  void handler_start(CodeEmitter& code) override;
  void moved_call(std::size_t call_index, std::uint32_t bci) override {
    if (!options_.has_events || !calls_[call_index].is_followed) return;
    host_.moved_site(method_, calls_[call_index].site, bci);
  }
  void unwind(CodeEmitter& code) override { leave(code, options_.has_events ? "unwind" : "exit"); }

  // Facts about the method begun last, for a probe set that emits its own form of these probes.
  struct Call {
    Callee callee;
    bool is_marked;    // counted callees: an event before the call
    bool is_followed;  // the callee needs to know its call site
    SiteOrdinal site;
    NextProbe next;

    bool stores_word() const noexcept { return is_followed; }
  };
  std::int64_t place() const { return place_; }
  bool is_marked() const { return is_marked_; }
  const Call& call(std::size_t call_index) const { return calls_[call_index]; }
  // Returns true if after_call() emits code.
  bool restores_after(std::size_t call_index) const {
    return calls_[call_index].is_followed && needs_restore(calls_, call_index);
  }
  // Replaces the result of copse.Context.id() by the id, before its return.
  void answer(CodeEmitter& code) const;
  // Pushes a place or a site, as an int or a long.
  void push_operand(CodeEmitter& code, std::int64_t operand) const;

 private:
  struct Allocation {
    std::uint8_t opcode;
    std::int32_t operand;  // type, or number of dimensions
    SiteOrdinal site;
  };

  Call call_of(const CallSiteView& call);
  std::uint32_t number_sites(const MethodView& method);
  void add_allocation(const AllocationView& allocation);
  static void mark(CodeEmitter& code);
  static void leave(CodeEmitter& code, std::string_view probe);

  ContextIdProbeOptions options_;
  ProbeHost& host_;
  PlaceHost& places_;
  AllocationHost* allocations_;
  MethodId method_ = kNoMethod;
  std::int64_t place_ = 0;
  bool is_marked_ = false;
  bool asks_for_id_ = false;
  std::vector<Call> calls_;
  std::vector<Allocation> allocated_;
};

// The probes of a run that walks the stack at marked methods and keeps no ids:
//
//   entry         mark() if the method is marked
//   before_call   mark() for marked callees that run no probe of their own (CalleeKind)
class StackWalkProbes final : public ProbeSet {
 public:
  StackWalkProbes(ProbeHost& host, PlaceHost& places) : host_(host), places_(places) {}

  bool begin(const MethodView& method) override;
  std::span<const LocalKind> locals() const override { return {}; }
  void entry(CodeEmitter& code) override;
  void before_call(CodeEmitter& code, std::size_t call_index) override;
  void after_call(CodeEmitter&, std::size_t) override {}
  void before_return(CodeEmitter&) override {}
  void handler_start(CodeEmitter&) override {}
  void unwind(CodeEmitter&) override {}

 private:
  ProbeHost& host_;
  PlaceHost& places_;
  bool is_marked_ = false;
  std::vector<bool> marks_callee_;  // by call
};

}  // namespace copse::classfile
