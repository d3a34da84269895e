// Treatment of calls to methods that cannot record themselves (CalleeKind), by the name at the call site. There
// are two cases:
//
//   application classes only: a call into the JDK that certainly never calls back is silent
//   with the JDK's classes:   JIT intrinsics, native methods and those that probes call are counted at the call
//                             site, when the method is bound statically and overrides nothing
//
// Threads: any; answers are cached under a mutex.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "agent/jvm/hook/boot_image.h"
#include "agent/jvm/hook/method_table.h"
#include "agent/jvm/hook/probe_callees.h"
#include "classfile/class_summary.h"
#include "probes/shadow_stack_probes.h"

namespace copse::jvm {

// Returns whether a call into the JDK can never lead back to application code.
bool is_silent_jdk_call(const classfile::CallSiteView& call) noexcept;

// Native methods and intrinsics of the JDK's own classes.
class JdkCallees {
 public:
  // `probe_callees` must outlive this object.
  JdkCallees(std::unique_ptr<BootImage> image, const ProbeCallees& probe_callees,
             MethodTable& table);

  // Returns the callee of a call site. Its class name lives as long as this object.
  classfile::Callee classify(const classfile::CallSiteView& call);

  enum class BodyProbe { kYes, kCountedAtCallSites };
  // Returns whether a method of a JDK class gets a probe in its body.
  BodyProbe body_probe(std::string_view owner, std::string_view name, std::string_view descriptor);

 private:
  struct Outline {
    classfile::ClassSummary summary;
    std::unordered_map<std::string, const classfile::MethodSummary*> methods;  // name + descriptor
  };

  const Outline* outline(std::string_view internal_name);
  classfile::CalleeKind kind_of(const Outline& owner, const classfile::MethodSummary& method);
  bool overrides_something(const Outline& owner, const std::string& signature);

  std::mutex mutex_;
  const std::unique_ptr<BootImage> image_;
  const ProbeCallees& probe_callees_;
  MethodTable& table_;
  std::unordered_map<std::string, std::unique_ptr<Outline>> outlines_;  // nullptr: not in image
};

}  // namespace copse::jvm
