// Rewrites one class as it is loaded: chooses the methods that get probes, enters all names in the MethodTable,
// and lists what was left out.
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

// Identity of a class loader, for the report and the default filter.
struct LoaderIdentity {
  std::uint64_t id = 0;  // 0: boot
  std::string name = "boot";
  bool is_jdk = true;  // boot or platform loader, or one that the JDK makes for classes of its own
};

class ClassHook {
 public:
  // `image`: of the JDK; nullptr if its classes are not recorded. `probe_callees`: methods of the JDK that are never
  // recorded. `recording`: provides the probes.
  ClassHook(const agent::AgentOptions& options, MethodTable& table,
            std::unique_ptr<BootImage> image, ProbeCallees probe_callees, Recording& recording,
            NativeProbes* natives);

  // Returns the new bytes; empty leaves the class as it is. Never throws, never fails: a class that cannot be
  // rewritten is listed as skipped. `again`: the class exists and gets another body. Called by: any thread that
  // loads a class, several at once, also for the same class.
  std::vector<std::uint8_t> rewrite(const LoaderIdentity& loader,
                                    std::span<const std::uint8_t> bytes, bool again) noexcept;

  // Lists the class as skipped, because its loader does not find the class of the probes.
  void leave_without_probe(std::span<const std::uint8_t> bytes, std::string_view probe_class);

  bool wants(const LoaderIdentity& loader) const noexcept;
  // Returns whether rewrite() may put probes into a class of this name.
  bool wants(const LoaderIdentity& loader, std::string_view internal_name) const;

  // Queries about the classes that rewrite() has met so far. Thread-safe.
  struct Glob {
    std::string_view key;  // key of the option
    std::string glob;
  };
  std::vector<Glob> unused_globs() const;  // globs that matched nothing
  bool saw_classes() const noexcept { return saw_classes_.load(); }
  bool gave_probes() const noexcept { return gave_probes_.load(); }
  bool saw_context_api() const noexcept { return saw_context_api_.load(); }
  std::uint16_t newest_version() const noexcept {
    return newest_version_.load();
  }  // of class files
  // Returns whether a method has no probe in its handlers of exceptions, for want of room.
  bool has_bare_handlers() const noexcept { return has_bare_handlers_.load(); }

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
  const ProbeCallees probe_callees_;
  std::unique_ptr<JdkCallees> jdk_callees_;  // nullptr if only application classes are recorded
  Recording& recording_;
  NativeProbes* const natives_;

  std::atomic<bool> saw_classes_{false};          // classes that may be recorded
  std::atomic<bool> gave_probes_{false};          // to at least one method
  std::atomic<bool> saw_context_api_{false};      // the program can ask for ids
  std::atomic<std::uint16_t> newest_version_{0};  // of class files that may be recorded
  std::atomic<bool> has_bare_handlers_{false};

  // Locks, by class. Call sites are numbered while a class is rewritten. Two threads that rewrite the same
  // class would take each other's call sites for those of an earlier body.
  std::array<std::mutex, 64> rewriting_;
};

}  // namespace copse::jvm
