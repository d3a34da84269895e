// The code to insert into a method. The rewriter knows class files; a ProbeSet knows the code of
// its probes. There is one set per purpose: call records (shadow_stack_probes.h), context ids
// (context_id_probes.h), or both.
//
// For each method with code the rewriter first calls begin() with the facts about it. If begin()
// returns true, the rewriter calls the emitting functions in bytecode order, once per place:
//
//   entry            before the first original instruction; not covered by any exception handler
//   before_call      directly before each invoke instruction, its arguments already on the stack
//   after_call       directly after it (its result, if any, on the stack)
//   after_allocation directly after each new, newarray, anewarray and multianewarray, the new object
//                    on the stack (after new, its constructor has not run)
//   before_return    directly before each return instruction, the value on the stack
//   before_drop      where code of before_return() threw, that exception on the stack: this code throws it
//                    if the method is to return all the same, and leaves it there if not. Emitting nothing
//                    drops it. See method_rewriter.cpp.
//   before_throw     directly before each athrow, the exception, or null, on the stack
//   handler_start    at the first instruction of each exception handler, the exception on the stack
//   after_monitor_enter  directly behind each monitorenter of a block that holds a monitor, the
//                    locked object on the stack, from which this code takes it
//   before_monitor_exit  at the end of the block, directly before its monitorexit
//   monitor_handler_start  at the end of the block by an exception: at the first instruction of a
//                    handler that does nothing but give the monitor back, the exception on the stack.
//                    An exception thrown by this code does not keep the handler from giving it back.
//   unwind           at the common end of all exceptions that no handler of the method takes, the
//                    exception on the stack; it is thrown again behind this code. Emitting nothing
//                    leaves such exceptions alone. In constructors exceptions of this() or super()
//                    itself never come here, since no handler may cover this call; in classes without
//                    stack maps those thrown before it do not either, and none do when that call is
//                    not reached in a straight line.
//
// Emitted code must leave the operand stack as it found it. It may keep values in extra locals
// (locals()), which the rewriter adds behind the method's own and declares in every stack map. The
// functions may be called again for the same method when jumps have to be widened: they must emit
// the same code for the same place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace copse::classfile {

class CodeEmitter;

// Calls that a method's own instructions, calls apart, can make the runtime do implicitly.
enum class ImplicitCalls {
  kNone,          // nothing: loads, stores, arithmetic, branches, fields of `this`, returns
  kVmExceptions,  // exceptions the VM constructs: null checks, array accesses, division
  kClassLoading,  // class loading or initialisation: new, static fields, casts, ldc of a class
};

// Where the code behind a call leads in at most kMostSteps instructions that read no memory, throw
// nothing and do not branch (is_step() in opcodes.h). The JVM calls nothing in between.
enum class NextProbe : std::uint8_t {
  kNone,    // elsewhere
  kCall,    // to the next call in bytecode order
  kReturn,  // to a return
};
inline constexpr int kMostSteps = 16;

struct CallSiteView {
  std::uint32_t bci;  // in the original code
  std::int32_t line;  // -1 without LineNumberTable
  std::uint8_t opcode;
  std::string_view owner;  // internal name, "[..." for array receivers, "" for invokedynamic
  std::string_view name;
  std::string_view descriptor;
  bool interface_owner;
  NextProbe next = NextProbe::kNone;
};

struct AllocationView {
  std::uint32_t bci;  // in the original code
  std::int32_t line;  // -1 without LineNumberTable
  std::uint8_t opcode;
  std::string_view class_name;  // internal name of new's class, of anewarray's elements, of
                                // multianewarray's array
  std::uint8_t operand;         // newarray: type; multianewarray: number of dimensions
};

struct ThrowView {
  std::uint32_t bci;  // in the original code
  std::int32_t line;  // -1 without LineNumberTable
};

struct MethodView {
  std::string_view class_name;  // internal: java/lang/String
  std::string_view super_name;  // "" for java/lang/Object
  std::uint16_t class_access;
  std::string_view name;
  std::string_view descriptor;
  std::uint16_t access;
  std::uint16_t max_locals;
  std::uint32_t code_length;
  bool has_handlers;
  bool only_returns;  // the code is one return instruction
  bool has_loop;      // true for any jump backwards
  ImplicitCalls implicit_calls;
  std::span<const CallSiteView> calls;
  std::span<const AllocationView> allocations;
  // Constructors: index in `calls` of the call of this() or super(); std::nullopt if not sure.
  std::optional<std::size_t> constructor_call{};
  std::span<const ThrowView> throws{};
  std::uint16_t class_version = 0;
  // Nesting depth of the blocks that hold a monitor; 0 means none. std::nullopt: some blocks are
  // not as compilers make them, and get no probes.
  std::optional<std::uint32_t> monitor_levels = 0;
};

enum class LocalKind : std::uint8_t { kInt, kLong };

class ProbeSet {
 public:
  virtual ~ProbeSet() = default;

  // Returns true to put probes into this method. The view is valid until begin() of the next
  // method.
  virtual bool begin(const MethodView& method) = 0;
  // Returns the extra locals of this method's probes; may be empty.
  virtual std::span<const LocalKind> locals() const = 0;

  virtual void entry(CodeEmitter& code) = 0;
  virtual void before_call(CodeEmitter& code, std::size_t call_index) = 0;
  virtual void after_call(CodeEmitter& code, std::size_t call_index) = 0;
  virtual void after_allocation(CodeEmitter&, std::size_t /*allocation_index*/) {}
  virtual void before_return(CodeEmitter& code) = 0;
  // Returns true if another set's probes may be in the code already. The return instructions of
  // those get no probes then, because their frames do not have the method's locals.
  virtual bool follows_another() const { return false; }
  virtual void before_drop(CodeEmitter&) {}
  virtual void before_throw(CodeEmitter&, std::size_t /*throw_index*/) {}
  virtual void handler_start(CodeEmitter& code) = 0;
  // Returns false if a method of the set may do without handler_start() where it would be too large with it
  // (Rewritten::has_bare_handlers).
  virtual bool needs_handler_start() const { return true; }
  virtual void unwind(CodeEmitter&) {}

  // Tells where a call of the method is in the new code, for each call once the code is final.
  virtual void moved_call(std::size_t /*call_index*/, std::uint32_t /*bci*/) {}

  // Returns true if the set reads monitor_levels, which is computed for such sets alone.
  virtual bool asks_for_monitors() const { return false; }
  // Returns true if the next three functions emit code in the current method; otherwise they are
  // not called.
  virtual bool follows_monitors() const { return false; }
  // `level`: number of blocks around this one.
  virtual void after_monitor_enter(CodeEmitter&, std::uint32_t /*level*/) {}
  virtual void before_monitor_exit(CodeEmitter&, std::uint32_t /*level*/) {}
  virtual void monitor_handler_start(CodeEmitter&, std::uint32_t /*level*/) {}
};

// The few instructions that probes use. Tracks stack depth, so that max_stack comes out right.
class CodeEmitter {
 public:
  virtual ~CodeEmitter() = default;
  virtual void push_int(std::int32_t value) = 0;  // shortest of iconst, bipush, sipush, ldc, ldc_w
  virtual void push_long(std::int64_t value) = 0;
  virtual void load_local(std::size_t probe_local) = 0;  // index into ProbeSet::locals()
  virtual void store_local(std::size_t probe_local) = 0;
  // Loads a local of the method itself. `type`: the first letter of its descriptor. REQUIRES: the
  // local has that type there, as arguments have at the entry, and `this` of a constructor behind
  // the call of super().
  virtual void load_own(std::uint32_t slot, char type) = 0;
  // Pushes the class of the method. REQUIRES: version 49 of class files or later.
  virtual void push_own_class() = 0;
  // Emits an instruction without operands: dup2, ladd, lor, pop ... (opcode as in the JVM
  // specification).
  virtual void op(std::uint8_t opcode) = 0;
  virtual void invoke_static(std::string_view owner, std::string_view name,
                             std::string_view descriptor) = 0;
};

}  // namespace copse::classfile
