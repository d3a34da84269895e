#include "agent/jvm/hook/probe_callees.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "agent/jvm/jvm_names.h"
#include "classfile/class_summary.h"
#include "classfile/code_attribute.h"
#include "classfile/instruction_list.h"
#include "classfile/method_analysis.h"
#include "classfile/opcodes.h"

namespace copse::jvm {
namespace {

using namespace classfile;

// Methods of the probes' classes that the agent calls before recorded code runs.
constexpr std::array<std::string_view, 3> kCalledByAgent = {"start", "isKept", "offset"};

Status refusal(const std::string& why) {
  return Status::error(Fault::kUnsupported,
                       "this JVM: the methods of its JDK cannot be recorded: " + why +
                           "; record the program's own methods alone");
}

struct Call {
  std::uint8_t opcode;
  std::string owner;
  std::string signature;  // name and descriptor
};

struct Type {
  ClassSummary summary;
  std::map<std::string, std::vector<Call>>
      calls;  // by signature, of the methods whose code was read

  const MethodSummary* method(std::string_view signature) const {
    const auto found = std::ranges::find_if(summary.methods, [&](const MethodSummary& method) {
      return signature.starts_with(method.name) &&
             signature.substr(method.name.size()) == method.descriptor;
    });
    return found == summary.methods.end() ? nullptr : &*found;
  }
};

// Reads a class, with the calls of its methods that `wants` wants.
template <typename Wants>
std::optional<Type> read_type(std::span<const std::uint8_t> bytes, const Wants& wants) {
  std::map<std::string, std::vector<Call>> calls;
  const auto read_calls = [&](ClassSummary& so_far, const ConstantPool& pool,
                              std::span<const std::uint8_t> content) {
    const std::string signature = so_far.methods.back().name + so_far.methods.back().descriptor;
    if (!wants(signature)) return true;
    CodeAttribute code;
    InstructionList instructions;
    std::vector<CallSiteView> sites;
    if (!code.parse(content, pool) || !instructions.decode(code.code, code.ranges) ||
        !find_calls(instructions, code, pool, sites)) {
      return false;
    }
    for (const CallSiteView& site : sites) {
      calls[signature].push_back({site.opcode, std::string(site.owner),
                                  std::string(site.name) + std::string(site.descriptor)});
    }
    return true;
  };
  Result<ClassSummary> summary = summarize(bytes, read_calls);
  if (!summary.ok()) return std::nullopt;
  return Type{std::move(summary).value(), std::move(calls)};
}

class Search {
 public:
  Search(std::span<const ProbeKind::JavaClass> probes, BootImage& image) : image_(image) {
    for (const ProbeKind::JavaClass& probe : probes) {
      const std::string name = std::string("java/lang/") + probe.name;
      const std::optional<Type>& type =
          types_.emplace(name, read_type(probe.bytes, [](std::string_view) { return true; }))
              .first->second;
      if (!type) continue;
      for (const MethodSummary& method : type->summary.methods) {
        if (!method.is_private() && !contains(kCalledByAgent, method.name)) {
          waiting_.push_back({name, method.name + method.descriptor});
        }
      }
    }
    seen_.insert(waiting_.begin(), waiting_.end());
  }

  Result<ProbeCallees> run() {
    while (!waiting_.empty()) {
      const auto [name, signature] = waiting_.front();
      waiting_.pop_front();
      for (const Call& call : calls_of(name, signature)) {
        if (Status status = follow(call, name + "." + signature); !status) return status;
      }
    }
    return std::move(callees_);
  }

 private:
  template <std::size_t N>
  static bool contains(const std::array<std::string_view, N>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  static bool is_of_probes(const std::string& owner) {
    return owner.starts_with("java/lang/Copse") || owner == "copse/CopseNative";
  }

  // nullptr if there is no such class.
  const Type* type(const std::string& name) {
    const auto [entry, is_new] = types_.try_emplace(name);
    if (is_new)
      entry->second = read_type(image_.read_class(name), [](std::string_view) { return false; });
    return entry->second ? &*entry->second : nullptr;
  }

  std::vector<Call> calls_of(const std::string& name, const std::string& signature) {
    if (is_of_probes(name)) return types_.at(name)->calls[signature];
    std::optional<Type> type = read_type(
        image_.read_class(name), [&](std::string_view wanted) { return wanted == signature; });
    return type ? std::move(type->calls[signature]) : std::vector<Call>();
  }

  // The class at or above `name` that declares the method; "" if none does.
  std::string declaring(const std::string& name, const std::string& signature) {
    const Type* const at = type(name);
    if (at == nullptr) return "";
    if (at->method(signature) != nullptr) return name;
    const std::string& above = at->summary.super_name;
    std::string found = above.empty() ? "" : declaring(above, signature);
    for (std::size_t i = 0; found.empty() && i < at->summary.interfaces.size(); ++i) {
      found = declaring(at->summary.interfaces[i], signature);
    }
    return found;
  }

  // Returns whether the method that is found by a call's owner is the one that runs.
  static bool is_bound(const Call& call, const ClassSummary& owner, const MethodSummary& method) {
    return call.opcode == opcode::kInvokestatic || call.opcode == opcode::kInvokespecial ||
           method.is_private() || ((method.access | owner.access) & kAccFinal) != 0;
  }

  Status follow(const Call& call, const std::string& caller) {
    // The natives' class has no code, and a class that is not of the kind is not defined: nothing of it runs.
    if (is_of_probes(call.owner) && !types_.contains(call.owner)) return {};
    const std::string owner = declaring(call.owner, call.signature);
    if (owner.empty()) return unknown(caller, call, "the JDK does not have");
    const Type& declared = *type(owner);
    const MethodSummary& method = *declared.method(call.signature);
    if (!is_bound(call, declared.summary, method)) {
      return unknown(caller, call, "others may override");
    }
    if (!method.has_code() || !seen_.insert({owner, call.signature}).second) return {};
    if (!is_of_probes(owner)) callees_.insert({owner, call.signature});
    waiting_.push_back({owner, call.signature});
    return {};
  }

  static Status unknown(const std::string& caller, const Call& call, const char* why) {
    return refusal(dotted(caller) + " calls " +
                   (call.owner.empty() ? "" : dotted(call.owner) + ".") + dotted(call.signature) +
                   ", which " + why);
  }

  BootImage& image_;
  std::map<std::string, std::optional<Type>> types_;  // by internal name; std::nullopt: not found
  std::deque<std::pair<std::string, std::string>> waiting_;
  ProbeCallees seen_, callees_;
};

}  // namespace

Result<ProbeCallees> find_probe_callees(std::span<const ProbeKind::JavaClass> probes,
                                        BootImage* image) {
  if (image == nullptr) {
    return refusal("the class files in its lib/modules cannot be read");
  }
  return Search(probes, *image).run();
}

}  // namespace copse::jvm
