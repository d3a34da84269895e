#include "encoders/study/counterexample_trace.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "encoders/study/op_source.h"
#include "trace/text_writer.h"

namespace copse::study {
namespace {

struct Renumbered {
  std::vector<Op> ops;
  std::vector<MethodName> methods;
};

// Methods that do not occur are left out; ids keep their order.
Renumbered renumbered(const std::vector<Op>& ops, const std::vector<MethodName>& methods) {
  std::vector<MethodId> used;
  for (const Op& op : ops) {
    if (op.kind == OpKind::kCall) used.push_back(callee_of(op.edge()));
  }
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  const auto new_id = [&](MethodId id) {
    if (id == kNoMethod) return kNoMethod;
    const auto at = std::lower_bound(used.begin(), used.end(), id);
    return MethodId{static_cast<std::uint32_t>(at - used.begin()) + 1};
  };
  Renumbered result{ops, std::vector<MethodName>(1)};
  for (const MethodId id : used) {
    result.methods.push_back(raw(id) < methods.size() ? methods[raw(id)] : MethodName());
    result.methods.back().sites.clear();  // ordinals are no longer those of the program
  }
  for (Op& op : result.ops) {
    if (op.kind != OpKind::kCall) continue;
    const CallSite site = site_of(op.edge());
    op = call_op(op.slot,
                 edge_key({new_id(site.caller), site.ordinal}, new_id(callee_of(op.edge()))));
  }
  return result;
}

}  // namespace

Result<std::string> counterexample_trace(const Counterexample& found,
                                         const encoders::EncoderInfo& info,
                                         const std::vector<MethodName>& methods,
                                         const SchemeConfig& config) {
  std::string what = found.what;
  std::vector<Op> ops = found.ops;
  std::vector<MethodName> names = methods;
  for (MethodName& name : names) name.sites.clear();
  Renumbered small = renumbered(ops, methods);
  if (!found.keeps_graph && !config.has_fixed_graph()) {
    const std::string still = failure_of(small.ops, info, config.with_methods(small.methods));
    if (!still.empty()) {
      what = still;
      ops = std::move(small.ops);
      names = std::move(small.methods);
    }
  }
  std::string comment = std::string(info.name) + " decodes the token at the mark wrongly:\n" + what;
  comment += "\nReplay: copse validate THIS_FILE --encoder " + std::string(info.name) +
             config.command_line_options();
  if (found.keeps_graph) {
    comment += "\nFails with the call graph of the whole trace it was cut from, not with its own.";
  }
  if (!found.minimal) comment += "\nShrinking was given up before nothing more could be taken out.";
  std::ostringstream text;
  OpSource source(ops, std::move(names));
  if (Status status = trace::write_text(text, source, comment); !status.ok()) return status;
  return text.str();
}

}  // namespace copse::study
