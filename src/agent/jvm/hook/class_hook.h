// Rewrites one class as it is loaded: decides who gets probes, names everything in the MethodTable,
// and writes down what was left out.
#pragma once

#include <jvmti.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "agent/jvm/hook/callees.h"
#include "agent/jvm/hook/method_table.h"
#include "agent/method_filter.h"
#include "agent/options.h"

namespace copse::jvm {

class NativeProbes;
class Recording;

// Who loads a class, as far as the report and the default filter care.
struct LoaderIdentity {
  std::uint64_t id = 0;  // 0: boot
  std::string name = "boot";
  bool is_jdk = true;  // boot or platform loader, or one that the JDK makes for classes of its own
};

class ClassHook {
 public:
  // `recording`: whose probes they are.
  // `natives`: records native methods of the program; nullptr if they are not recorded.
  ClassHook(const agent::AgentOptions& options, MethodTable& table,
            std::unique_ptr<JdkCallees> jdk_callees, Recording& recording, NativeProbes* natives);

  // The new bytes, empty to leave the class as it is. Never throws, never fails: whatever goes
  // wrong is a skipped class. `again`: the class is there and gets another body. Called by: any
  // thread that loads a class, several at once, also the same class.
  std::vector<std::uint8_t> rewrite(const LoaderIdentity& loader,
                                    std::span<const std::uint8_t> bytes, bool again) noexcept;

  // Writes down that the class is left as it is, because its loader does not find the probes'.
  void leave_without_probe(std::span<const std::uint8_t> bytes, std::string_view probe_class);

  bool wants(const LoaderIdentity& loader) const noexcept;
  // Whether rewrite() may put probes into a class of this name.
  bool wants(const LoaderIdentity& loader, std::string_view internal_name) const;

  // What rewrite() has met so far. Any thread.
  struct Glob {
    std::string_view key;  // of the option
    std::string glob;
  };
  std::vector<Glob> unused_globs() const;  // that matched nothing
  bool saw_classes() const noexcept { return saw_classes_.load(); }
  bool gave_probes() const noexcept { return gave_probes_.load(); }
  bool saw_context_api() const noexcept { return saw_context_api_.load(); }

 private:
  std::vector<std::uint8_t> rewrite_or_throw(LoaderIdentity loader,
                                             std::span<const std::uint8_t> bytes, bool again);

  void take_natives(const LoaderIdentity& loader, const classfile::ClassSummary& summary,
                    MethodTable::ClassId owner);
  std::string_view take_native(const LoaderIdentity& loader, const classfile::ClassSummary& owner,
                               const classfile::MethodSummary& method, MethodTable::ClassId id);

  const agent::AgentOptions& options_;
  MethodTable& table_;
  agent::MethodFilter filter_;
  std::unique_ptr<JdkCallees> jdk_callees_;  // null when only application classes are recorded
  Recording& recording_;
  NativeProbes* const natives_;

  std::atomic<bool> saw_classes_{false};      // that may be recorded
  std::atomic<bool> gave_probes_{false};      // to a method
  std::atomic<bool> saw_context_api_{false};  // the program can ask for ids

  // By class: call sites are numbered while a class is rewritten, so two threads that rewrite the
  // same class would take each other's for those of an earlier body.
  std::array<std::mutex, 64> rewriting_;
};

}  // namespace copse::jvm
