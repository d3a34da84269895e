// Puts one method's probes into its code. Reused for all methods of a class.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/byte_writer.h"
#include "classfile/code_attribute.h"
#include "classfile/code_layout.h"
#include "classfile/constant_pool.h"
#include "classfile/method_analysis.h"
#include "classfile/monitor_blocks.h"
#include "classfile/probe_emitter.h"
#include "classfile/probe_set.h"
#include "classfile/rewriter.h"
#include "classfile/stack_depth.h"
#include "classfile/stack_map.h"

namespace copse::classfile {

struct MethodHeader {
  std::uint16_t access;
  std::string_view name;
  std::string_view descriptor;
};

enum class MethodOutcome {
  kRewritten,
  kUnwanted,  // the probe set wants no probes here
  kSkipped,   // skip_reason() says why
  kMalformed,
};

class MethodRewriter {
 public:
  // `stack_map_budget`: bytes that all stack maps of the class together may take.
  MethodRewriter(ConstantPool& pool, const ClassView& owner, ProbeSet& probes,
                 std::size_t stack_map_budget)
      : pool_(pool),
        owner_(owner),
        probes_(probes),
        emitter_(pool),
        stack_maps_(pool, layout_),
        stack_map_budget_(stack_map_budget) {}

  // Rewrites the Code attribute with this content and appends the new content to `out`. `out` is
  // valid only if the outcome is kRewritten.
  MethodOutcome rewrite(const MethodHeader& method, std::span<const std::uint8_t> content,
                        ByteWriter& out);
  SkipReason skip_reason() const noexcept { return skip_reason_; }
  // Returns whether the handlers of the method rewritten last have no probe, for want of room.
  bool has_bare_handlers() const noexcept { return form_ == Form::kBareHandlers; }
  const char* misuse() const noexcept { return emitter_.misuse(); }

 private:
  bool wanted(const MethodHeader& method);
  void emit_probes(const MethodHeader& method);
  void emit_handler_start(Insertion& inserted, std::uint32_t depth);
  const MonitorPlace* monitor_place(std::uint32_t bci, MonitorPlace::Kind kind) const;
  void emit_monitor_enter(const MonitorPlace& place, std::size_t instruction, Insertion& inserted);
  std::uint32_t range_edge(std::uint32_t bci) const;
  bool is_resumed(std::size_t at_return) const;
  void emit_return(Instruction& at, std::uint32_t depth, Insertion& inserted);
  void emit_unwind(const MethodHeader& method);
  bool emit_unwind_handler(bool before_super);
  void emit_joined_return();
  std::uint32_t emit_resumed_return();
  void emit_resumed_returns();
  void add_tail_handler(bool before_super, TailHandler::Kept kept);
  void find_super_call(const MethodHeader& method);
  bool needs_new_stack_map() const;
  std::optional<SkipReason> check_size(const MethodHeader& method);
  std::optional<SkipReason> emit(const MethodHeader& method);
  bool compute_layout();
  void write_ranges(ByteWriter& out);
  MethodOutcome write_parts(const MethodHeader& method, ByteWriter& out);
  MethodOutcome write_part(const CodePart& part, const MethodHeader& method, ByteWriter& out);
  MethodOutcome write_stack_map(const CodePart& part, const MethodHeader& method, ByteWriter& out);
  MethodOutcome write_new_stack_map(const MethodHeader& method, ByteWriter& out);
  MethodOutcome skip(SkipReason reason);
  std::uint32_t new_max_stack() const noexcept;
  GuardedHandler guarded(std::uint32_t handler) const noexcept;

  ConstantPool& pool_;
  const ClassView& owner_;
  ProbeSet& probes_;
  ProbeEmitter emitter_;
  CodeAttribute code_;
  InstructionList instructions_;
  StackDepths depths_;
  std::vector<CallSiteView> calls_;
  std::vector<AllocationView> allocations_;
  std::vector<ThrowView> throws_;
  MonitorBlocks monitors_;
  std::vector<Insertion> insertions_;
  std::uint32_t entry_bytes_ = 0;
  // A return whose probe may throw: the method returns all the same.
  struct GuardedReturn {
    std::uint32_t bci;
    std::uint32_t bytes;    // guarded code, directly before the return
    std::uint32_t handler;  // from the start of the tail
  };
  struct TailRange {  // from the start of the tail
    std::uint32_t begin, end, handler;
  };
  // How the probes of a method are laid out. Each form takes less code than the one before.
  enum class Form : std::uint8_t {
    kWhole,
    kJoinedReturns,  // returns are jumps to one behind the code
    kBareHandlers    // the same, and handlers of exceptions have no probe
  };
  Form form_ = Form::kWhole;
  bool joins_returns_ = false;
  std::uint8_t return_ = 0;  // the instruction that returns a value of the descriptor's type
  std::vector<GuardedReturn> guarded_returns_;
  // Behind the code, in this order: a handler of all exceptions, one for those before a constructor calls super(), and
  // what resumes where a probe threw. Positions are from the start of the tail, until the code is written.
  std::vector<TailHandler> tail_;
  std::vector<TailRange> tail_ranges_;
  struct JoinedReturn {
    std::uint32_t position;  // from the start of the tail
    std::uint32_t bytes;     // guarded code, directly before the return
    std::uint32_t end;       // of that code
  };
  std::optional<JoinedReturn> joined_;
  std::uint32_t tail_bytes_ = 0;
  bool unwinds_ = false;                       // there is the first of these handlers
  std::uint32_t unwind_from_ = 0;              // bci of the first instruction it covers
  std::optional<std::uint32_t> before_super_;  // the second handler, from the start of the tail
  std::optional<std::size_t> super_call_;      // constructor: find_constructor_call()
  std::uint16_t throwable_class_ = 0;
  std::vector<std::uint32_t> guarded_;            // bcis of handlers with a guard, ascending
  std::vector<GuardedHandler> guarded_handlers_;  // the same once the layout is known
  // Edges of ranges: directly behind these instructions, before the code inserted there.
  std::vector<Insertion> behind_enters_;
  std::vector<std::uint16_t> range_indices_;  // of each exception range, in the new table
  CodeLayout layout_;
  StackMapRewriter stack_maps_;
  std::size_t stack_map_budget_;
  SkipReason skip_reason_ = SkipReason::kMalformed;
};

}  // namespace copse::classfile
