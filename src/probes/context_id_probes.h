// The probes of a run that keeps a context id in every thread and counts nothing.
//
//   entry          before = word(), frame = enter(before, place); mark(frame) if marked
//   before_call    call(frame, site)
//   after_call     restore(frame): no call site, as for what the JVM calls by itself
//   before_return  exit(before): the word of the entry, so that the next callback of uninstrumented
//                  code finds it
//   handler_start  restore(frame)
//   unwind         exit(before); with events unwind(before)
//
// Callees that run no probe of their own (CalleeKind) are entered by their callers, where it
// matters:
//
//   before_call    enterNative(frame, site, place) in the place of call(); mark() of what it gives,
//                  if marked
//
// With exact allocations:
//
//   after_allocation   allocated(frame, site, type) of new,
//                      allocatedArray(length, frame, site, type) of arrays,
//                      allocatedArrays(array, frame, site, dimensions) of multianewarray
//
// A method that can neither lead to another recorded call nor be asked for its context needs none
// of it. A call of a counted callee can lead to one, whatever the callee does: the JVM may have
// recorded code find its class, make the exception that it throws, or register a finalizer behind
// the constructor of Object. That hangs under the caller's frame, without a call site.
//
// What `place` and `site` are depends on the encoder: a place's number, or a constant to be mixed
// in. Whatever a frame's word is, adding a site gives the word for a call.
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

// What the probes need to know of the program beside ProbeHost: how the encoder names places.
class PlaceHost {
 public:
  virtual ~PlaceHost() = default;
  // Operand of enter(): the method's "no call site", which has `sites` call sites. Nothing: the
  // method gets no probes.
  virtual std::optional<std::int64_t> place(MethodId method, std::uint32_t sites) = 0;
  // Operand of call(): what to add to the frame's word.
  virtual std::int64_t site(MethodId caller, SiteOrdinal site) = 0;
  // Whether entries of the method (class as in class files) are events of interest.
  virtual bool is_marked(std::string_view class_name, std::string_view method) = 0;
};

struct ContextIdProbeOptions {
  bool mark_all = false;              // methods with probes; none gets them for that
  bool long_operands = false;         // else ints
  bool vm_exceptions_record = false;  // as in ShadowStackProbeOptions
  // Whether the JVM reports events of interest, which any method can have: then none goes without
  // probes, and unwind() tells the throw it is followed by from the program's own.
  bool has_events = false;
};

class ContextIdProbes final : public ProbeSet {
 public:
  // `allocations`: null unless they are counted.
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
  void handler_start(CodeEmitter& code) override;
  void unwind(CodeEmitter& code) override { leave(code, options_.has_events ? "unwind" : "exit"); }

  // Of the method that was begun last, for a set that has its own way to say the same.
  struct Call {
    Callee callee;
    bool is_marked;    // of counted callees: an event before the call
    bool is_followed;  // the callee needs to know its call site
    SiteOrdinal site;
  };
  std::int64_t place() const { return place_; }
  bool is_marked() const { return is_marked_; }
  const Call& call(std::size_t call_index) const { return calls_[call_index]; }
  // Before a return of copse.Context.id(): the id in the place of its result.
  void answer(CodeEmitter& code) const;
  // What a place or a site is to the runtime's methods: an int, or a long.
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

}  // namespace copse::classfile
