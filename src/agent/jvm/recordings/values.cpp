#include "agent/jvm/recordings/values.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "agent/jvm/jvm_names.h"
#include "agent/jvm/recordings/value_probes.h"
#include "base/grouped.h"
#include "classfile/descriptor.h"
#include "probes/value_probes.h"
#include "ptql/stream/block_output.h"

namespace copse::jvm {
namespace {

using classfile::MethodView;

// Longest delay of an answer, and most that the file of a killed program lacks.
constexpr std::uint64_t kFlushMs = 100;
constexpr std::uint16_t kAccStaticMethod = 0x0008;
// Number of methods listed in a sentence.
constexpr std::size_t kMostMethodsNamed = 5;

ptql::MethodFacts facts_of(const std::string& class_name, std::string_view name,
                           std::string_view descriptor, std::uint16_t access) {
  ptql::MethodFacts facts;
  facts.name = name;
  facts.implementing_class = facts.declaring_class = class_name;
  for (classfile::DescriptorReader reader(descriptor); reader.take_parameter();) {
    ++facts.parameters;
  }
  facts.is_static = (access & kAccStaticMethod) != 0;
  facts.is_void = descriptor.ends_with(")V");
  return facts;
}

// Returns whether a query or glob asks about a method of this class and name. The descriptor is unknown here,
// and with it the parameters and the declaring class.
bool may_be_wanted(const ValueChoice& choice, const Intrinsic& intrinsic) {
  ptql::MethodFacts facts;
  facts.name = intrinsic.method;
  facts.implementing_class = facts.declaring_class = intrinsic.class_name;
  facts.any_parameters = true;
  return choice.method(facts, true, false).invocations;
}

// When the first class of a module gets probes, the JVM loads this class to let the module read
// others. So this class gets none: if it came first, it would be loaded while it is being loaded.
bool is_needed_to_rewrite(std::string_view internal_name) {
  return internal_name.starts_with("java/lang/WeakPairMap");
}

// Says which values of a class's methods are wanted.
class ValueHostOfClass final : public classfile::ValueHost {
 public:
  ValueHostOfClass(const ValueChoice& choice, ValueEvents& events, MethodTable& methods,
                   classfile::ProbeHost& ids, bool is_jdk)
      : choice_(choice), events_(events), methods_(methods), ids_(ids), is_jdk_(is_jdk) {}

  std::optional<classfile::ValueProbe> probe(const MethodView& method) override {
    const std::string class_name = dotted(method.class_name);
    const ptql::MethodFacts facts =
        facts_of(class_name, method.name, method.descriptor, method.access);
    ValueWants wants = choice_.method(facts, is_jdk_, false);
    const bool allocates = method.name == "<init>" && choice_.constructors(class_name, is_jdk_);
    std::optional<classfile::SectionProbe> section = section_of(method, class_name);
    if (!wants.invocations && !allocates && !section) return std::nullopt;
    if (method.super_name.empty() && method.name == "<init>") {
      methods_.skipped(method.class_name, std::string(method.name) + std::string(method.descriptor),
                       "compilers leave its calls out");
      return std::nullopt;
    }
    classfile::ValueProbe probe{.invocations = wants.invocations,
                                .receiver = wants.receiver,
                                .result = wants.result,
                                .parameters = std::move(wants.parameters),
                                .texts = std::move(wants.texts),
                                .allocations = allocates,
                                .section = section};
    if (!wants.invocations) return probe;
    const std::optional<MethodId> id = ids_.method(method);
    if (!id) return std::nullopt;
    probe.method = *id;
    events_.add_method(*id, {.row = {.implementing_class = class_name,
                                     .name = facts.name,
                                     .descriptor = std::string(method.descriptor),
                                     .declaring_class = "",
                                     .is_static = facts.is_static},
                             .parameters = facts.parameters,
                             .is_void = facts.is_void,
                             .is_jdk = is_jdk_,
                             .calls_super = method.constructor_call.has_value()});
    return probe;
  }

  void without_receiver(const MethodView& method) override {
    methods_.skipped(method.class_name, std::string(method.name) + std::string(method.descriptor),
                     "its object is not known: the call of super() was not found");
  }

  void without_sections(const MethodView& method) override {
    methods_.skipped(method.class_name, std::string(method.name) + std::string(method.descriptor),
                     "it takes monitors otherwise than compilers do for synchronized");
  }

 private:
  // Those of all methods of a class are invocations of one.
  std::optional<classfile::SectionProbe> section_of(const MethodView& method,
                                                    const std::string& class_name) {
    const bool may_lock = (method.access & classfile::kAccSynchronized) != 0 ||
                          !method.monitor_levels || *method.monitor_levels > 0;
    if (!may_lock) return std::nullopt;
    const ptql::MethodFacts facts = ptql::section_facts(class_name);
    const ValueWants wants = choice_.method(facts, is_jdk_, false);
    if (!wants.invocations) return std::nullopt;
    MethodView section = method;
    section.name = ptql::kSectionName;
    section.descriptor = "";
    const std::optional<MethodId> id = ids_.method(section);
    if (!id) return std::nullopt;
    events_.add_method(*id, {.row = {.implementing_class = class_name,
                                     .name = facts.name,
                                     .descriptor = "",
                                     .declaring_class = class_name},
                             .is_void = true,
                             .is_jdk = is_jdk_});
    return classfile::SectionProbe{.method = *id,
                                   .receiver = wants.receiver || !wants.parameters.empty()};
  }

  const ValueChoice& choice_;
  ValueEvents& events_;
  MethodTable& methods_;
  classfile::ProbeHost& ids_;
  const bool is_jdk_;
};

}  // namespace

Result<std::unique_ptr<Recording>> ValuesRecording::make(const Run& run) {
  Result<std::unique_ptr<ValueChoice>> choice = ValueChoice::make(run.options);
  if (!choice.ok()) return choice.status();
  return std::unique_ptr<Recording>(
      std::make_unique<ValuesRecording>(run, std::move(choice).value()));
}

ValuesRecording::ValuesRecording(const Run& run, std::unique_ptr<ValueChoice> choice)
    : run_(run),
      choice_(std::move(choice)),
      events_(run.jvmti, run.jvm.loaders, *choice_),
      missing_(*choice_) {}

bool ValuesRecording::wants_class(const LoaderIdentity& loader,
                                  const classfile::ClassSummary& summary) {
  events_.code_changes();
  const std::string name = dotted(summary.name);
  if (!may_want(loader, name)) return false;
  bool wanted = choice_->constructors(name, loader.is_jdk);
  if (std::ranges::any_of(summary.methods, &classfile::MethodSummary::may_lock)) {
    const ptql::MethodFacts sections = ptql::section_facts(name);
    missing_.look_at(sections, loader.is_jdk);
    wanted |= choice_->method(sections, loader.is_jdk, false).invocations;
  }
  for (const classfile::MethodSummary& method : summary.methods) {
    const ptql::MethodFacts facts = facts_of(name, method.name, method.descriptor, method.access);
    missing_.look_at(facts, loader.is_jdk);
    if (!choice_->method(facts, loader.is_jdk, false).invocations) continue;
    wanted = true;
    if ((method.access & classfile::kAccNative) != 0) {
      run_.jvm.methods.skipped(summary.name, method.name + method.descriptor,
                               "native method: it has no events");
    } else if (method.intrinsic_candidate) {
      const std::lock_guard lock(mutex_);
      replaceable_.emplace(name + "." + method.name, method.descriptor);
    }
  }
  if (!wanted || !loader.is_jdk || !is_needed_to_rewrite(summary.name)) return wanted;
  run_.jvm.methods.skipped(summary.name, "", "the JVM needs it where it gives others probes");
  return false;
}

Result<classfile::Rewritten> ValuesRecording::put_probes(
    const LoaderIdentity& loader, std::span<const std::uint8_t> bytes, classfile::ProbeHost& host,
    std::span<const classfile::NewField> new_fields) {
  ValueHostOfClass values(*choice_, events_, run_.jvm.methods, host, loader.is_jdk);
  classfile::ValueProbes probes(values);
  return classfile::rewrite(bytes, probes, new_fields);
}

// To see what callers do with results.
Status ValuesRecording::add_capabilities() {
  jvmtiCapabilities capabilities{};
  capabilities.can_get_bytecodes = 1;
  if (run_.jvmti->AddCapabilities(&capabilities) == JVMTI_ERROR_NONE) return {};
  return Status::error(Fault::kUnsupported, "this JVM: does not show the bytecode of methods");
}

Status ValuesRecording::start(JNIEnv* jni) {
  if (jni->GetJavaVM(&vm_) != JNI_OK)
    return Status::error(Fault::kUnsupported, "this JVM: does not tell who it is");
  const std::string& socket = std::get<agent::ValueOptions>(run_.options.mode).query_socket;
  const bool is_told = !socket.empty();
  Result<std::unique_ptr<stream::BlockOutput>> output =
      is_told ? stream::socket_output(socket) : stream::file_output(run_.output_path);
  if (!output.ok()) return output.status();
  using std::chrono::duration_cast;
  using std::chrono::milliseconds;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  Status status = events_.start(vm_, jni, std::move(output).value(),
                                {.pid = static_cast<std::uint64_t>(getpid()),
                                 .program = run_.program,
                                 .runtime = run_.runtime,
                                 .started_ms = duration_cast<milliseconds>(now).count(),
                                 .globs = choice_->globs(),
                                 .queries = choice_->queries()},
                                run_.attached);
  if (status) status = start_value_probes(run_.jvm.runtime, jni, events_);
  if (status) {
    intrinsics_off_.start(vm_, jni, [this](const Intrinsic& intrinsic) {
      return may_be_wanted(*choice_, intrinsic);
    });
  }
  if (status) {
    status = flush_thread_.start("copse-values", kFlushMs, [this] { events_.flush(); });
  }
  return status;
}

std::vector<std::string> ValuesRecording::notes() const {
  std::vector<std::string> sentences = missing_.sentences();
  run_.jvm.methods.each_skipped(
      [&](std::string_view class_name, std::string_view method, std::string_view reason) {
        std::string name(class_name);
        if (!method.empty()) name += "." + std::string(method);
        sentences.push_back("without events: " + name + ": " + std::string(reason));
      });
  const std::string replaceable = replaceable_methods();
  if (!replaceable.empty()) {
    sentences.push_back(
        "the JVM may replace these methods, and calls that it replaces have no events: " +
        replaceable);
  }
  return sentences;
}

std::string ValuesRecording::replaceable_methods() const {
  std::set<std::string> methods;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [method, descriptor] : replaceable_) {
      // Compilers were at work before the agent of a program that ran already.
      if (run_.attached || !intrinsics_off_.kept_as_calls(method, descriptor)) {
        methods.insert(method);
      }
    }
  }
  std::string names;
  std::size_t named = 0;
  for (const std::string& method : methods) {
    if (named++ == kMostMethodsNamed) break;
    names += (names.empty() ? "" : ", ") + method;
  }
  if (methods.size() > kMostMethodsNamed) {
    names += " and " + grouped(methods.size() - kMostMethodsNamed) + " more";
  }
  return names;
}

void ValuesRecording::leave() noexcept {
  events_.leave();
  JNIEnv* jni = nullptr;
  if (vm_ == nullptr || vm_->GetEnv(reinterpret_cast<void**>(&jni), JNI_VERSION_10) != JNI_OK) {
    return;
  }
  try {
    intrinsics_off_.leave(jni);
  } catch (const std::exception&) {
    // No memory: the JVM's compilers go on as they were told.
  }
}

void ValuesRecording::finish(const End& end) {
  flush_thread_.stop();
  std::vector<std::string> sentences = notes();
  sentences.insert(sentences.end(), end.notes.begin(), end.notes.end());
  ValueEvents::Totals totals;
  const Status status = events_.finish(std::move(sentences), totals);
  // Who answers queries knows when the program is done, or has gone on purpose.
  if (!agent::writes_file(run_.options)) return;
  if (!status) run_.fail_to_write(run_.output_path, status.message());
  run_.wrote({.kind = agent::FileNote::Kind::kValues,
              .path = run_.output_path,
              .count = totals.events,
              .size = totals.bytes,
              .lost = totals.lost,
              .program = run_.program});
}

}  // namespace copse::jvm
