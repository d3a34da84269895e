// The probes of a profiling run: one call record per call (base/call_record.h), in-line.
//
//   entry          header = header(), frame = enter(header, method)   or  leaf(method), see below
//   before_call    call(frame + site, header)
//   after_call     restore(header, frame)   replaces the word left by uninstrumented code: a call
//                                           site, or the depth of a callback whose exception it
//                                           swallowed. Not if the next probe does (needs_restore())
//   before_return  exit(header, frame)      the word of the entry, call site included
//   handler_start  restore(header, frame)
//   unwind         exit(header, frame)      for an exception that uninstrumented code catches: its
//                                           next callback must not find the word of the ended frame.
//                                           Or unwind(), which also says that the next exception
//                                           thrown is not a new one. A constructor may have
//                                           exitConstructor() and unwindConstructor()
//                                           (ends_constructors)
//
// There are two locals, because addresses and words in registers need no instructions to be made:
// packed into one they cost twice the code. If the word is a field of the thread (word_in_thread),
// no probe needs the header, and there is one local, the frame.
//
// If the JVM cannot be asked about exceptions (probes_throws), with the exception on the stack:
//
//   before_throw   stores the line, -1 if there is none, in one local more
//   handler_start  caught(exception, method, line), and restore(); the local is 0 again
//   unwind         passes(exception, method, line), and unwind()
//
// or, in a leaf, caughtInLeaf() and passesLeaf() alone. Before restore() and unwind() the word
// tells the origin of the exception. A probe that calls nothing cannot throw where no stack is left.
//
// With exact allocations:
//
//   after_allocation   allocatedIn(header, frame, type) of new,
//                      allocatedArrayIn(length, header, frame, type, layout) of arrays,
//                      allocatedArraysIn(array, header, frame, type, dimensions) of multianewarray
//
// A method whose outermost calls are slices, with the word in the thread:
//
//   entry          beginSlice(frame), last
//   before_return  endSlice(frame), first, as in unwind
//
// If the threads that slices start are followed (tells_starts), starts(thread) stands before each call of start().
//
// copse.Context.begin() and end(), if a program's own slices are followed (answers_slices), have one probe each, before
// their return: beginSliceHere(name), whose result replaces theirs, and endSliceHere(slice).
//
// A method that cannot lead to another recorded call needs neither local: its only probe is leaf(),
// which appends its record. (A sample finds it by its caller's call site: has_leaf_probe(),
// calls().) With call sites off, before_call is empty: the word is right since entry. CalleeKind
// determines the treatment of a call.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "classfile/probe_set.h"
#include "probes/allocation_host.h"

namespace copse::classfile {

enum class CalleeKind : std::uint8_t {
  kRecords,        // may record itself, or lead to code that does
  kSilent,         // never leads to recorded code: no probe at all
  kCountedLeaf,    // its own probe would be bypassed (a JIT intrinsic) and it calls nothing
  kCountedNative,  // a native method: counted here, its callbacks hang under it
};

struct Callee {
  CalleeKind kind = CalleeKind::kRecords;
  MethodId method = kNoMethod;       // set for the counted kinds, like class_name
  std::string_view class_name = "";  // internal name of the class that declares the method
};

// Facts about the program around a class, for the probes.
class ProbeHost {
 public:
  virtual ~ProbeHost() = default;
  // Returns the method's id; std::nullopt if it gets no probes.
  virtual std::optional<MethodId> method(const MethodView& method) = 0;
  virtual SiteOrdinal site(MethodId caller, std::uint32_t bci, std::int32_t line) = 0;
  virtual Callee callee(const CallSiteView& call) = 0;

  // Tells that the method has a leaf()'s probe, or no longer has one. Called if `sampled`.
  virtual void has_leaf_probe(MethodId, bool) {}
  // Tells where a call site is in the code with probes. Called if words are sampled.
  virtual void moved_site(MethodId, SiteOrdinal, std::uint32_t /*bci*/) {}
  // Tells the callee of a call site.
  virtual void calls(MethodId, SiteOrdinal, const CallSiteView&) {}
  // Tells the call of this() or super() of a constructor. Called if `ends_constructors`.
  virtual void constructs(MethodId, SiteOrdinal, const CallSiteView&) {}
};

struct ShadowStackProbeOptions {
  bool sites = true;
  // Amount that the first call site of a method adds to its frame; the second adds twice as much.
  std::uint32_t site_unit = 1;
  bool word_in_thread = false;
  // True if threads' words are sampled. A method with a loop is then no leaf(), since the word does
  // not tell that it runs.
  bool sampled = false;
  // True if exceptions are counted.
  bool counts_exceptions = false;
  // True if probes count the exceptions.
  bool probes_throws = false;
  // True if an exception constructed by the VM can run recorded code (its constructor).
  bool vm_exceptions_record = false;
  // Returns true for methods whose outermost calls are slices; nullptr means none.
  const std::function<bool(const MethodView&)>* begins_slice = nullptr;
  // True if copse.Context begins slices.
  bool answers_slices = false;
  // True if an exception that ends a constructor also ends the frames of constructors that called it by super() or
  // this(): they can have no handler there.
  bool ends_constructors = false;
  // True if calls of start() are told of.
  bool tells_starts = false;
};

// Returns true if a method cannot lead to another recorded call, neither by its `calls` (each with
// a callee) nor by the JVM's reaction to its own instructions. Such a method keeps no frame and no
// id.
template <typename Calls>
bool leads_nowhere(const MethodView& method, const Calls& calls, bool vm_exceptions_record) {
  for (const auto& call : calls) {
    if (call.callee.kind != CalleeKind::kSilent) return false;
  }
  return method.implicit_calls <=
         (vm_exceptions_record ? ImplicitCalls::kNone : ImplicitCalls::kVmExceptions);
}

// Returns false if the next probe stores the thread's word before anything can see what a call left there.
// `calls`: of the method, in bytecode order.
template <typename Calls>
bool needs_restore(const Calls& calls, std::size_t call_index) {
  const NextProbe next = calls[call_index].next;
  return next == NextProbe::kNone ||
         (next == NextProbe::kCall && !calls[call_index + 1].stores_word());
}

class ShadowStackProbes final : public ProbeSet {
 public:
  // `allocations`: nullptr unless allocations are counted.
  ShadowStackProbes(const ShadowStackProbeOptions& options, ProbeHost& host,
                    AllocationHost* allocations = nullptr)
      : options_(options), host_(host), allocations_(allocations) {}

  bool begin(const MethodView& method) override;
  std::span<const LocalKind> locals() const override;
  void entry(CodeEmitter& code) override;
  void before_call(CodeEmitter& code, std::size_t call_index) override;
  void after_call(CodeEmitter& code, std::size_t call_index) override;
  void after_allocation(CodeEmitter& code, std::size_t allocation_index) override;
  void before_return(CodeEmitter& code) override;
  void before_drop(CodeEmitter& code) override;
  void before_throw(CodeEmitter& code, std::size_t throw_index) override;
  void handler_start(CodeEmitter& code) override;
  // Without it the word stays that of the call that threw until the next call.
  bool needs_handler_start() const override { return options_.probes_throws || !options_.sites; }
  void unwind(CodeEmitter& code) override;
  void moved_call(std::size_t call_index, std::uint32_t bci) override;

  // Facts about the method begun last, for a probe set that emits its own form of these probes.
  struct Call {
    Callee callee;
    SiteOrdinal site;
    NextProbe next;
    bool may_start_thread = false;  // its probe looks at the word

    // Returns true if the probe before the call stores the word whatever it was.
    bool stores_word() const noexcept {
      return !may_start_thread && (callee.kind == CalleeKind::kCountedNative ||
                                   (callee.kind == CalleeKind::kRecords && site != kNoSite));
    }
  };
  MethodId method() const { return method_; }
  const Call& call(std::size_t call_index) const { return calls_[call_index]; }

 private:
  // Returns the local of the frame, behind the header if there is one.
  std::size_t frame() const noexcept { return options_.word_in_thread ? 0 : 1; }
  void load_frame(CodeEmitter& code) const;
  void load_header(CodeEmitter& code) const;
  void invoke(CodeEmitter& code, std::string_view name, std::string_view with_header,
              std::string_view without) const;
  void push_callee(CodeEmitter& code, SiteOrdinal site) const;
  // Returns the local of the line that throws, the last one.
  std::size_t line() const { return locals().size() - 1; }
  bool keeps_line() const noexcept { return options_.probes_throws && !throw_lines_.empty(); }
  void tell_of_exception(CodeEmitter& code, std::string_view name) const;
  void tell_of_slice(CodeEmitter& code, std::string_view name) const;
  void answer(CodeEmitter& code) const;

  struct Allocation {
    std::uint8_t opcode;
    std::int32_t type;
    std::int32_t operand;  // arrays: layout; arrays of arrays: number of dimensions
  };
  Allocation allocation_of(const AllocationView& allocation) const;

  ShadowStackProbeOptions options_;
  ProbeHost& host_;
  AllocationHost* allocations_;
  MethodId method_ = kNoMethod;
  bool leaf_ = false;
  bool may_throw_ = false;
  bool is_slice_ = false;
  bool is_constructor_ = false;
  enum class Answer : std::uint8_t { kNone, kBeginsSlice, kEndsSlice };
  Answer answer_ = Answer::kNone;  // of a method of copse.Context, which is not recorded
  std::vector<Call> calls_;
  std::vector<Allocation> allocated_;
  std::vector<std::int32_t> throw_lines_;
};

}  // namespace copse::classfile
