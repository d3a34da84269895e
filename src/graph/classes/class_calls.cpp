#include "graph/classes/class_calls.h"

#include <map>
#include <utility>

#include "classfile/class_summary.h"
#include "classfile/opcodes.h"
#include "classfile/probe_set.h"
#include "classfile/rewriter.h"

namespace copse::graph {
namespace {

using namespace classfile;

constexpr std::uint16_t kPrivate = 0x0002;
constexpr std::uint16_t kStatic = 0x0008;
constexpr std::uint16_t kNative = 0x0100;
constexpr std::uint16_t kInterface = 0x0200;
constexpr std::uint16_t kAbstract = 0x0400;

// Probes that are never put anywhere: the rewriter shows them every method with code.
class CallCollector final : public ProbeSet {
 public:
  explicit CallCollector(std::map<std::string, ClassCalls::Method*> methods)
      : methods_(std::move(methods)) {}

  bool begin(const MethodView& method) override {
    const auto found = methods_.find(std::string(method.name) + std::string(method.descriptor));
    if (found == methods_.end()) return false;
    found->second->locks |= method.monitor_levels.value_or(0) > 0;
    for (const CallSiteView& call : method.calls) {
      if (call.owner.empty() || call.owner.front() == '[') continue;
      found->second->calls.push_back({static_cast<std::int32_t>(call.bci), kind_of(call.opcode),
                                      std::string(call.owner),
                                      std::string(call.name) + std::string(call.descriptor)});
    }
    return false;
  }
  std::span<const LocalKind> locals() const override { return {}; }
  void entry(CodeEmitter&) override {}
  void before_call(CodeEmitter&, std::size_t) override {}
  void after_call(CodeEmitter&, std::size_t) override {}
  void before_return(CodeEmitter&) override {}
  void handler_start(CodeEmitter&) override {}

 private:
  static CallKind kind_of(std::uint8_t code) {
    if (code == opcode::kInvokestatic) return CallKind::kStatic;
    return code == opcode::kInvokespecial ? CallKind::kSpecial : CallKind::kVirtual;
  }

  std::map<std::string, ClassCalls::Method*> methods_;  // by name and descriptor
};

}  // namespace

Result<ClassCalls> read_class_calls(std::span<const std::uint8_t> class_bytes) {
  Result<ClassSummary> summary = summarize(class_bytes);
  if (!summary.ok()) return summary.status();
  ClassCalls made;
  made.name = std::move(summary->name);
  made.super_name = std::move(summary->super_name);
  made.interfaces = std::move(summary->interfaces);
  made.is_interface = (summary->access & kInterface) != 0;
  made.is_abstract = (summary->access & kAbstract) != 0;
  for (MethodSummary& method : summary->methods) {
    made.methods.push_back({std::move(method.name),
                            std::move(method.descriptor),
                            (method.access & kStatic) != 0,
                            (method.access & kPrivate) != 0,
                            (method.access & (kAbstract | kNative)) == 0,
                            (method.access & kNative) != 0,
                            (method.access & kAccSynchronized) != 0,
                            {}});
  }
  std::map<std::string, ClassCalls::Method*> by_signature;
  for (ClassCalls::Method& method : made.methods) {
    by_signature.emplace(method.name + method.descriptor, &method);
  }
  CallCollector collector(std::move(by_signature));
  if (const Result<Rewritten> read = rewrite(class_bytes, collector); !read.ok()) {
    return read.status();
  }
  return made;
}

}  // namespace copse::graph
