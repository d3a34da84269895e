#include "agent/jvm/hook/class_hook.h"

#include <exception>
#include <functional>

#include "agent/jvm/hook/class_loaders.h"
#include "agent/jvm/hook/native_probes.h"
#include "agent/jvm/jvm_names.h"
#include "agent/jvm/recordings/recording.h"
#include "agent/jvm/runtime/runtime_class.h"
#include "classfile/class_summary.h"
#include "classfile/numbered_class.h"
#include "classfile/rewriter.h"

namespace copse::jvm {

using classfile::Callee;
using classfile::CalleeKind;
using classfile::CallSiteView;
using classfile::ClassSummary;
using classfile::MethodSummary;
using classfile::MethodView;

namespace {

// Classes of the runtime's own, and of copse-test.jar, which begin and end excerpts. No other may be
// defined in java.lang under such a name.
bool never_rewritten(std::string_view internal_name) {
  return internal_name.starts_with("java/lang/Copse") || internal_name == "copse/CopseNative" ||
         internal_name.starts_with("copse/test/");
}

// copse.Context is asked for ids whatever the user's globs say.
bool is_context_api(std::string_view internal_name) { return internal_name == "copse/Context"; }
bool asks_for_id(const MethodView& method) {
  return is_context_api(method.class_name) && method.name == "id";
}
// Methods of copse.Context for slices, which are no part of the program.
bool is_for_slices(const MethodView& method) {
  return method.class_name == "copse/Context$Slice" ||
         (is_context_api(method.class_name) && method.name != "id");
}

bool straddles_threads(std::string_view internal_name) {
  return internal_name == "java/lang/VirtualThread" ||
         internal_name.starts_with("java/lang/VirtualThread$") ||
         internal_name == "jdk/internal/vm/Continuation" ||
         internal_name.starts_with("jdk/internal/vm/Continuation$");
}

// Never 0.
std::uint64_t content_of(std::span<const std::uint8_t> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return std::hash<std::string_view>()(text) | 1;
}

// Answers the probes' questions about one class.
class ClassHost final : public classfile::ProbeHost {
 public:
  ClassHost(MethodTable& table, const agent::MethodFilter& filter,
            const ProbeCallees& probe_callees, JdkCallees* jdk_callees, bool boot,
            MethodTable::ClassId owner, std::string class_name, bool always_asks,
            std::atomic<bool>& gave_probes)
      : table_(table),
        filter_(filter),
        probe_callees_(probe_callees),
        jdk_callees_(jdk_callees),
        boot_(boot),
        owner_(owner),
        class_name_(std::move(class_name)),
        always_asks_(always_asks),
        gave_probes_(gave_probes) {}

  std::optional<MethodId> method(const MethodView& method) override {
    if (is_for_slices(method)) return std::nullopt;
    if (!(always_asks_ && asks_for_id(method)) &&
        !filter_.includes_method(class_name_, method.name)) {
      return std::nullopt;
    }
    if (method.name == "finalize" && method.descriptor == "()V" && method.only_returns) {
      // With a body the JVM would register every instance for finalization.
      skip(method, "empty finalizer: left empty, its calls are not counted");
      return std::nullopt;
    }
    if (boot_ && jdk_callees_ != nullptr &&
        jdk_callees_->body_probe(method.class_name, method.name, method.descriptor) ==
            JdkCallees::BodyProbe::kCountedAtCallSites) {
      // Object's constructor is one of them: a record for every allocation's innermost call.
      skip(method,
           "counted at call sites; calls by reflection, JNI and hidden classes are not, nor "
           "what its body calls once the JIT replaces it");
      return std::nullopt;
    }
    if (boot_ &&
        probe_callees_.contains({std::string(method.class_name),
                                 std::string(method.name) + std::string(method.descriptor)})) {
      skip(method, "called by probes: its calls are not counted");
      return std::nullopt;
    }
    const MethodId id = table_.method(owner_, method.name, method.descriptor);
    if (id == kNoMethod) {
      skip(method, "more methods than ids");
      return std::nullopt;
    }
    if (!is_context_api(method.class_name)) gave_probes_.store(true, std::memory_order_relaxed);
    return id;
  }

  SiteOrdinal site(MethodId caller, std::uint32_t bci, std::int32_t line) override {
    return table_.site(caller, bci, line);
  }

  void has_leaf_probe(MethodId method, bool has) override { table_.has_leaf_probe(method, has); }
  void moved_site(MethodId caller, SiteOrdinal site, std::uint32_t bci) override {
    table_.moved_site(caller, site, bci);
  }
  void calls(MethodId caller, SiteOrdinal site, const CallSiteView& call) override {
    table_.calls(caller, site, call.name, call.descriptor);
  }
  void constructs(MethodId constructor, SiteOrdinal site, const CallSiteView& call) override {
    table_.constructs(constructor, site, call.owner, call.descriptor);
  }

  Callee callee(const CallSiteView& call) override {
    if (jdk_callees_ != nullptr) {
      const Callee callee = jdk_callees_->classify(call);
      const bool wanted = callee.kind == CalleeKind::kRecords ||
                          filter_.includes_method(dotted(callee.class_name), call.name);
      return wanted ? callee : Callee{};
    }
    return {is_silent_jdk_call(call) ? CalleeKind::kSilent : CalleeKind::kRecords};
  }

 private:
  void skip(const MethodView& method, std::string_view reason) {
    table_.skipped(method.class_name, std::string(method.name) + std::string(method.descriptor),
                   reason);
  }

  MethodTable& table_;
  const agent::MethodFilter& filter_;
  const ProbeCallees& probe_callees_;
  JdkCallees* jdk_callees_;
  bool boot_;
  MethodTable::ClassId owner_;
  std::string class_name_;
  const bool always_asks_;  // copse.Context.id() gets probes, whatever the filter says
  std::atomic<bool>& gave_probes_;
};

}  // namespace

ClassHook::ClassHook(const agent::AgentOptions& options, MethodTable& table,
                     std::unique_ptr<BootImage> image, ProbeCallees probe_callees,
                     Recording& recording, NativeProbes* natives)
    : options_(options),
      table_(table),
      filter_(options.include, options.exclude),
      probe_callees_(std::move(probe_callees)),
      jdk_callees_(options.jdk
                       ? std::make_unique<JdkCallees>(std::move(image), probe_callees_, table)
                       : nullptr),
      recording_(recording),
      natives_(natives) {}

bool ClassHook::wants(const LoaderIdentity& loader) const noexcept {
  return options_.jdk || !loader.is_jdk || recording_.wants_jdk();
}

bool ClassHook::wants(const LoaderIdentity& loader, std::string_view internal_name) const {
  if (!wants(loader) || never_rewritten(internal_name) || straddles_threads(internal_name)) {
    return false;
  }
  if (is_context_api(internal_name)) return true;
  const std::string class_name = dotted(internal_name);
  return filter_.classify(class_name) != agent::MethodFilter::ClassVerdict::kNone &&
         recording_.may_want(loader, class_name);
}

std::vector<ClassHook::Glob> ClassHook::unused_globs() const {
  std::vector<Glob> globs;
  const auto add = [&](std::string_view key, std::vector<std::string> unused) {
    for (std::string& glob : unused) globs.push_back({key, std::move(glob)});
  };
  add("include", filter_.include().unused());
  add("exclude", filter_.exclude().unused());
  add("mark", recording_.unused_marks());
  add("values", recording_.unused_values());
  add("slice", recording_.unused_slices());
  return globs;
}

std::vector<std::uint8_t> ClassHook::rewrite(const LoaderIdentity& loader,
                                             std::span<const std::uint8_t> bytes,
                                             bool again) noexcept {
  try {
    return rewrite_or_throw(loader, bytes, again);
  } catch (const std::exception&) {
    // Out of memory while naming things: the class stays as it is. There may be no memory to say so
    // in the table either, hence nothing more is attempted here.
    return {};
  }
}

void ClassHook::leave_without_probe(std::span<const std::uint8_t> bytes,
                                    std::string_view probe_class) {
  if (const Result<ClassSummary> summary = classfile::summarize(bytes); summary.ok()) {
    table_.skipped(summary->name, "", "its class loader does not find " + std::string(probe_class));
  }
}

void ClassHook::take_natives(const LoaderIdentity& loader, const ClassSummary& summary,
                             MethodTable::ClassId owner) {
  if (!recording_.records_natives()) return;
  const std::string class_name = dotted(summary.name);
  for (const MethodSummary& method : summary.methods) {
    const bool is_wanted = (method.access & classfile::kAccNative) != 0 &&
                           filter_.includes_method(class_name, method.name);
    if (!is_wanted) continue;
    const std::string_view left_out = take_native(loader, summary, method, owner);
    if (!left_out.empty()) table_.skipped(summary.name, method.name + method.descriptor, left_out);
  }
}

// Returns why calls of the method are not counted, or not all of them; "" if they are.
std::string_view ClassHook::take_native(const LoaderIdentity& loader, const ClassSummary& owner,
                                        const MethodSummary& method, MethodTable::ClassId id) {
  if (loader.is_jdk || natives_ == nullptr) {
    const bool counted = loader.id == 0 && jdk_callees_ != nullptr &&
                         jdk_callees_->body_probe(owner.name, method.name, method.descriptor) ==
                             JdkCallees::BodyProbe::kCountedAtCallSites;
    return counted ? "counted at call sites; calls by reflection, JNI and hidden classes are not"
                   : "native method: its calls are not counted";
  }
  if (table_.method(id, method.name, method.descriptor) == kNoMethod) {
    return "more methods than ids";
  }
  natives_->expect(loader.id, owner.name);
  gave_probes_.store(true, std::memory_order_relaxed);
  return "";
}

std::vector<std::uint8_t> ClassHook::rewrite_or_throw(LoaderIdentity loader,
                                                      std::span<const std::uint8_t> bytes,
                                                      bool again) {
  const Result<ClassSummary> summary = classfile::summarize(bytes);
  if (!summary.ok()) return {};  // the JVM will refuse it, in its own words
  const std::string& name = summary->name;
  loader.is_jdk = loader.is_jdk || is_proxy_of_jdk(name, summary->super_name);
  if (never_rewritten(name) || !wants(loader)) return {};
  // Relaxed: these are read when recording has ended.
  (is_context_api(name) ? saw_context_api_ : saw_classes_).store(true, std::memory_order_relaxed);
  std::uint16_t newest = newest_version_.load(std::memory_order_relaxed);
  while (newest < summary->major_version &&
         !newest_version_.compare_exchange_weak(newest, summary->major_version)) {
  }

  std::vector<classfile::NewField> new_fields;
  if (options_.jdk && loader.id == 0 && name == "java/lang/Thread") {
    new_fields = {{kThreadHeaderField, "J"}, {kThreadWordField, "J"}};
  }
  const std::string class_name = dotted(name);
  const bool answers = recording_.answers_context_api() || recording_.answers_slices();
  const bool recorded = (answers && is_context_api(name)) ||
                        filter_.classify(class_name) != agent::MethodFilter::ClassVerdict::kNone;
  if (!recorded && new_fields.empty()) return {};
  if (!recording_.wants_class(loader, *summary)) return {};
  if (straddles_threads(name)) {
    table_.skipped(name, "", "switches threads in mid-method: not recorded");
    return {};
  }

  const bool boot = loader.id == 0;
  // A class of the boot loader may have its id already, from a call that is counted at its call
  // site. That id was given without a class file.
  const std::uint64_t content = boot ? 0 : content_of(bytes);
  const std::string stable_name = classfile::stable_class_name(bytes, name, loader.name);
  const auto owner = table_.open_class({.loader = loader.id,
                                        .loader_name = loader.name,
                                        .content = content,
                                        .again = again,
                                        .stable_name = stable_name},
                                       name, summary->source_file);
  const std::lock_guard lock(rewriting_[raw(owner) % rewriting_.size()]);
  take_natives(loader, *summary, owner);

  ClassHost host(table_, filter_, probe_callees_, jdk_callees_.get(), boot, owner, class_name,
                 recording_.answers_context_api(), gave_probes_);
  Result<classfile::Rewritten> rewritten = recording_.put_probes(loader, bytes, host, new_fields);
  if (!rewritten.ok()) {
    table_.skipped(name, "", rewritten.message());
    return {};
  }
  for (const classfile::SkippedMethod& method : rewritten->skipped) {
    table_.skipped(name, method.name + method.descriptor, classfile::reason_text(method.reason));
  }
  if (rewritten->has_bare_handlers) has_bare_handlers_.store(true, std::memory_order_relaxed);
  if (!rewritten->changed) return {};
  return std::move(rewritten).value().bytes;
}

}  // namespace copse::jvm
