// What to insert into a method. The rewriter knows class files; a ProbeSet knows what its probes
// look like. One set per purpose: call records (shadow_stack_probes.h), context ids
// (context_id_probes.h), or both.
//
// For each method with code the rewriter first calls begin() with what it read; if the answer is
// true it calls the emitting functions in bytecode order, once per place:
//
//   entry            before the first original instruction; not covered by any exception handler
//   before_call      directly before each invoke instruction, its arguments already on the stack
//   after_call       directly after it (its result, if any, on the stack)
//   after_allocation directly after each new, newarray, anewarray and multianewarray, what was made
//   on
//                    the stack (by new, without its constructor having run)
//   before_return    directly before each return instruction, the value on the stack
//   before_throw     directly before each athrow, the exception, or null, on the stack
//   handler_start    at the first instruction of each exception handler, the exception on the stack
//   after_monitor_enter  directly behind each monitorenter of a block that holds a monitor, what was locked
//                    on the stack, from where this code takes it
//   before_monitor_exit  where the block ends, directly before its monitorexit
//   monitor_handler_start  where it ends by an exception: at the first instruction of a handler that does
//                    nothing but give the monitor back, the exception on the stack. What this code throws
//                    does not keep the handler from it.
//   unwind           where every exception ends up that no handler of the method takes, the
//                    exception on the stack; it is thrown again behind this code. Emitting nothing
//                    leaves such exceptions alone. In constructors only what is thrown after the
//                    call of this() or super() comes here, and nothing when that call is not
//                    reached in a straight line.
//                    With unwinds_constructors() wherever it stands, and also what is thrown before
//                    it, in classes with stack maps; but never what this() or super() itself throws,
//                    since no handler may cover this call.
//
// Emitted code must leave the operand stack as it found it. It may keep values in extra locals of
// its own (locals()), which the rewriter adds behind the method's and declares in every stack map.
// The functions may be called again for the same method when jumps have to be widened: they must
// emit the same code for the same place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace copse::classfile {

class CodeEmitter;

// What a method's own instructions (calls apart) can make the runtime call implicitly.
enum class ImplicitCalls {
  kNone,          // nothing: loads, stores, arithmetic, branches, fields of `this`, returns
  kVmExceptions,  // exceptions the VM constructs: null checks, array accesses, division
  kClassLoading,  // class loading or initialisation: new, static fields, casts, ldc of a class
};

struct CallSiteView {
  std::uint32_t bci;  // in the original code
  std::int32_t line;  // -1 without LineNumberTable
  std::uint8_t opcode;
  std::string_view owner;  // internal name, "[..." for array receivers, "" for invokedynamic
  std::string_view name;
  std::string_view descriptor;
  bool interface_owner;
};

struct AllocationView {
  std::uint32_t bci;  // in the original code
  std::int32_t line;  // -1 without LineNumberTable
  std::uint8_t opcode;
  std::string_view class_name;  // internal name: of what new makes, of anewarray's elements, of
                                // multianewarray's array
  std::uint8_t operand;         // of newarray: type; of multianewarray: number of dimensions
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
  bool has_loop;      // or a jump backwards that makes none
  ImplicitCalls implicit_calls;
  std::span<const CallSiteView> calls;
  std::span<const AllocationView> allocations;
  // Of a constructor, and only with unwinds_constructors(): which of `calls` is that of this() or
  // super(); nothing where that is not sure.
  std::optional<std::size_t> constructor_call{};
  std::span<const ThrowView> throws{};
  std::uint16_t class_version = 0;
  // Of the blocks that hold a monitor, how deep they nest, 0: there are none; nothing: some are not as
  // compilers make them, and get no probes.
  std::optional<std::uint32_t> monitor_levels = 0;
};

enum class LocalKind : std::uint8_t { kInt, kLong };

class ProbeSet {
 public:
  virtual ~ProbeSet() = default;

  // Whether to put probes into this method. The view dies when begin() of the next method is
  // called.
  virtual bool begin(const MethodView& method) = 0;
  // The extra locals this method's probes need; may be empty.
  virtual std::span<const LocalKind> locals() const = 0;

  virtual void entry(CodeEmitter& code) = 0;
  virtual void before_call(CodeEmitter& code, std::size_t call_index) = 0;
  virtual void after_call(CodeEmitter& code, std::size_t call_index) = 0;
  virtual void after_allocation(CodeEmitter&, std::size_t /*allocation_index*/) {}
  virtual void before_return(CodeEmitter& code) = 0;
  virtual void before_throw(CodeEmitter&, std::size_t /*throw_index*/) {}
  virtual void handler_start(CodeEmitter& code) = 0;
  virtual void unwind(CodeEmitter&) {}
  virtual bool unwinds_constructors() const { return false; }

  // Whether it looks at monitor_levels of some method, which is found for it alone.
  virtual bool asks_for_monitors() const { return false; }
  // Whether the three below emit something, of the method that began; nothing else is put there.
  virtual bool follows_monitors() const { return false; }
  // `level`: blocks around this one, from 0.
  virtual void after_monitor_enter(CodeEmitter&, std::uint32_t /*level*/) {}
  virtual void before_monitor_exit(CodeEmitter&, std::uint32_t /*level*/) {}
  virtual void monitor_handler_start(CodeEmitter&, std::uint32_t /*level*/) {}
};

// The few instructions probes are made of. Tracks stack depth, so that max_stack comes out right.
class CodeEmitter {
 public:
  virtual ~CodeEmitter() = default;
  virtual void push_int(std::int32_t value) = 0;  // shortest of iconst, bipush, sipush, ldc, ldc_w
  virtual void push_long(std::int64_t value) = 0;
  virtual void load_local(std::size_t probe_local) = 0;  // index into ProbeSet::locals()
  virtual void store_local(std::size_t probe_local) = 0;
  // A local of the method's own. `type`: the first letter of its descriptor. It must have the type
  // there: at the entry arguments have, behind the call of super() a constructor's `this`.
  virtual void load_own(std::uint32_t slot, char type) = 0;
  // The class that the method is of; not before version 49 of class files.
  virtual void push_own_class() = 0;
  // Instructions without operands: dup2, ladd, lor, pop ... (opcode as in the JVM specification)
  virtual void op(std::uint8_t opcode) = 0;
  virtual void invoke_static(std::string_view owner, std::string_view name,
                             std::string_view descriptor) = 0;
};

}  // namespace copse::classfile
