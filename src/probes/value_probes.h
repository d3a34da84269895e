// The probes of a run that records values: arguments, results and exceptions of methods, and the
// objects that constructors make.
//
//   entry          take(n, argument) for each wanted argument, with kFirstTaken added for the first and
//                  kTakenWithText if the text of a String is wanted; invocation = entered(method), or
//                  entered(receiver, method)
//   after_call     of super() or this(): constructed(this, invocation), or allocated(this)
//   before_return  returned(invocation), or returned(result, invocation)
//   unwind         thrown(exception, invocation)
//
// While a monitor is held, the section is a separate invocation:
//
//   entry of a synchronized method, after_monitor_enter  section = entered(method), or entered(object, method)
//   before_return, before_monitor_exit                   returned(section); section = 0
//   unwind, monitor_handler_start                        thrown(exception, section); section = 0
//
// All of them end in natives (src/agent/jvm/runtime/value). A frame keeps the number of its
// invocation; 0 means that it is not recorded.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/ids.h"
#include "classfile/probe_set.h"

namespace copse::classfile {

inline constexpr std::int32_t kTakenNumbers = 256;  // numbers of parameters, below the flags
inline constexpr std::int32_t kFirstTaken = 256;
inline constexpr std::int32_t kTakenWithText = 512;

// The sections in which a method holds a monitor that it took itself, or by being synchronized.
struct SectionProbe {
  MethodId method{};
  bool receiver = false;  // records the locked object
};

// Values to record for a method.
struct ValueProbe {
  MethodId method{};
  bool invocations = false;  // entries and ends; required by receiver, result and parameters
  bool receiver = false;
  bool result = false;
  std::vector<bool> parameters{};  // may be shorter than the method's
  std::vector<bool> texts{};       // by parameter: the text of a String; may be shorter
  bool allocations = false;        // constructors: the object that they make
  std::optional<SectionProbe> section{};
};

class ValueHost {
 public:
  virtual ~ValueHost() = default;
  // Returns the values to record; std::nullopt means no probes.
  virtual std::optional<ValueProbe> probe(const MethodView& method) = 0;
  // Tells of a constructor whose call of super() was not found: its object is unknown there.
  virtual void without_receiver(const MethodView& method) = 0;
  // Tells of a method whose sections get no probes, since they are not as compilers make them.
  virtual void without_sections(const MethodView& method) = 0;
};

class ValueProbes final : public ProbeSet {
 public:
  explicit ValueProbes(ValueHost& host) : host_(host) {}

  bool begin(const MethodView& method) override;
  std::span<const LocalKind> locals() const override;
  void entry(CodeEmitter& code) override;
  void before_call(CodeEmitter&, std::size_t) override {}
  void after_call(CodeEmitter& code, std::size_t call_index) override;
  void before_return(CodeEmitter& code) override;
  void before_drop(CodeEmitter& code) override;
  void handler_start(CodeEmitter&) override {}
  void unwind(CodeEmitter& code) override;
  bool unwinds_constructors() const override { return true; }
  bool asks_for_monitors() const override { return true; }
  bool follows_monitors() const override { return levels_ > 0; }
  void after_monitor_enter(CodeEmitter& code, std::uint32_t level) override;
  void before_monitor_exit(CodeEmitter& code, std::uint32_t level) override;
  void monitor_handler_start(CodeEmitter& code, std::uint32_t level) override;

 private:
  struct Argument {
    std::int32_t number;
    std::uint32_t slot;
    char type;  // first letter of the descriptor
    bool with_text;
  };

  bool read_descriptor(const MethodView& method);
  void enter_method(CodeEmitter& code) const;
  void begin_sections(const MethodView& method);
  std::size_t local_of_level(std::uint32_t level) const;
  void enter_section(CodeEmitter& code, std::size_t local) const;
  static void leave_section(CodeEmitter& code, std::size_t local);
  static void throw_out_of_section(CodeEmitter& code, std::size_t local);

  ValueHost& host_;
  ValueProbe probe_;
  std::vector<Argument> arguments_;  // wanted arguments
  char result_ = 'V';                // 'V': none, or not wanted
  bool has_result_ = false;
  bool has_receiver_ = false;
  std::optional<std::size_t> constructor_call_;
  std::vector<LocalKind> locals_;  // of the invocation, the method's section, each level's section
  std::optional<std::size_t> method_section_;  // local of a synchronized method's section
  bool method_section_is_static_ = false;
  std::uint32_t levels_ = 0;
};

}  // namespace copse::classfile
