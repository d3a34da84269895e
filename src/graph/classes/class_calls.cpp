#include "graph/classes/class_calls.h"

#include <utility>

#include "classfile/code_attribute.h"
#include "classfile/method_analysis.h"
#include "classfile/monitor_blocks.h"
#include "classfile/opcodes.h"
#include "classfile/rewriter.h"

namespace copse::graph {
namespace {

using namespace classfile;

CallKind kind_of(std::uint8_t code) {
  if (code == opcode::kInvokestatic) return CallKind::kStatic;
  return code == opcode::kInvokespecial ? CallKind::kSpecial : CallKind::kVirtual;
}

// Reads the code of a class's methods, one after the other.
class CodeReader {
 public:
  bool read(MethodSummary& method, const ConstantPool& pool, std::span<const std::uint8_t> content,
            std::vector<StaticCall>& calls) {
    if (!code_.parse(content, pool) || !instructions_.decode(code_.code, code_.ranges) ||
        !find_calls(instructions_, code_, pool, sites_)) {
      return false;
    }
    for (const CallSiteView& site : sites_) {
      if (site.owner.empty() || site.owner.front() == '[') continue;
      calls.push_back({static_cast<std::int32_t>(site.bci), kind_of(site.opcode),
                       std::string(site.owner),
                       std::string(site.name) + std::string(site.descriptor)});
    }
    method.may_lock = (method.access & kAccSynchronized) != 0 || has_blocks(method);
    return true;
  }

 private:
  bool has_blocks(const MethodSummary& method) {
    if (instructions_.has_subroutines()) return false;
    monitors_.find(instructions_, code_.ranges, sites_, method.name == "<init>");
    return monitors_.levels().value_or(0) > 0;
  }

  CodeAttribute code_;
  InstructionList instructions_;
  std::vector<CallSiteView> sites_;
  MonitorBlocks monitors_;
};

}  // namespace

Result<ClassCalls> read_class_calls(std::span<const std::uint8_t> class_bytes) {
  ClassCalls made;
  CodeReader reader;
  Result<ClassSummary> summary = summarize(
      class_bytes,
      [&](ClassSummary& so_far, const ConstantPool& pool, std::span<const std::uint8_t> content) {
        made.calls.resize(so_far.methods.size());
        return reader.read(so_far.methods.back(), pool, content, made.calls.back());
      });
  if (!summary.ok()) return summary.status();
  if (!is_supported_version(summary->major_version)) {
    return Status::error(Fault::kMalformed,
                         summary->name + ": " +
                             std::string(reason_text(SkipReason::kUnsupportedVersion)) + " (" +
                             std::to_string(summary->major_version) + ")");
  }
  static_cast<ClassSummary&>(made) = std::move(*summary);
  made.calls.resize(made.methods.size());
  return made;
}

}  // namespace copse::graph
