#include "agent/jvm/jvm_agent.h"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <map>
#include <new>

#include "agent/jvm/agent_main.h"
#include "agent/jvm/id_graph.h"
#include "agent/jvm/jvm_names.h"
#include "agent/jvm/run_trace.h"
#include "agent/jvm/thread_stacks.h"
#include "agent/memory_bound.h"
#include "agent/output_path.h"
#include "agent/program_name.h"
#include "agent/run_description.h"
#include "agent/stack_scale.h"
#include "base/printable.h"
#include "report/report_file.h"

namespace copse {
namespace {

// Suspends frames, and resumes them whenever it likes. The JDK itself does so for virtual threads
// alone.
bool names_continuations(std::span<const std::uint8_t> class_file) {
  const std::string_view text(reinterpret_cast<const char*>(class_file.data()), class_file.size());
  return text.find("jdk/internal/vm/Continuation") != std::string_view::npos;
}

ProbeKind probe_kind(const AgentOptions& options) {
  if (options.token_every != 0) return ProbeKind::kTokens;
  if (!options.encoder.empty()) return ProbeKind::kIds;
  return engine_of(options) == EngineKind::kInline ? ProbeKind::kTrees : ProbeKind::kRecords;
}

Result<std::unique_ptr<ContextIds>> make_ids(const AgentOptions& options,
                                             const MethodTable& methods) {
  std::unique_ptr<ContextIds> ids;
  if (options.encoder.empty()) return ids;
  auto numbering = make_numbering(options, methods);
  if (!numbering.ok()) return numbering.status();
  ids = std::make_unique<ContextIds>(std::move(numbering).value(), memory_bound(options));
  return ids;
}

}  // namespace

JvmAgent::JvmAgent(JvmState& jvm, AgentOptions options, std::unique_ptr<ContextIds> ids)
    : jvm_(jvm),
      options_(std::move(options)),
      program_(program_name(system_property(jvmti_, "sun.java.command"))),
      output_path_(claim_output_path(
          options_.manifest, expanded(options_.record.empty() ? options_.out : options_.record),
          getpid())),
      ids_(std::move(ids)) {
  if (ids_ != nullptr) {
    recorded_methods_ = std::make_unique<RecordedMethods>(
        jvmti_, methods_,
        [this](JNIEnv* jni, jobject loader) { return jvm_.loaders.identify(jni, loader).id; });
    id_events_ =
        std::make_unique<IdEvents>(jvmti_, *ids_, runtime_, *recorded_methods_, options_.events);
  }
  // Before any class, so that there are ids left.
  for (std::size_t place = 0; place < kOutsidePlaces && !options_.events.empty(); ++place) {
    outside_[place] = methods_.stand_in(kOutsideNames[place]);
  }
  if (has_event(options_, info_of(EventKind::kExactAllocation).name)) {
    types_ = std::make_unique<AllocatedTypes>(methods_);
  }
  if (!options_.event_file.empty()) {
    event_path_ = claim_output_path(options_.manifest, expanded(options_.event_file), getpid());
  }
  if (options_.token_every != 0) {
    validation_ = std::make_unique<RunValidation>(jvmti_, options_, *ids_, *recorded_methods_);
  }
}

Result<JvmAgent*> JvmAgent::make(JavaVM* vm, AgentOptions options, JvmState* jvm) {
  void* environment = nullptr;
  if (jvm == nullptr && vm->GetEnv(&environment, JVMTI_VERSION_11) != JNI_OK) {
    return Status::error("this JVM: has no JVMTI 11 (JDK 17 or later is needed)");
  }
  // Never freed: callbacks and probes use it until the process ends.
  JvmAgent* agent = nullptr;
  try {
    if (jvm == nullptr) {
      jvm = new JvmState(static_cast<jvmtiEnv*>(environment),
                         options.jdk ? HeaderAccess::kThreadField : HeaderAccess::kTableByThreadId,
                         probe_kind(options));
    }
    Result<std::unique_ptr<ContextIds>> ids = make_ids(options, jvm->methods);
    if (!ids.ok()) return ids.status();
    agent = new JvmAgent(*jvm, std::move(options), std::move(ids).value());
  } catch (const std::bad_alloc&) {
    return Status::error("memory: no room for the agent's tables");
  }
  if (Status status = agent->check_outputs(); !status) return status;

  std::unique_ptr<JdkCallees> callees;
  if (agent->options_.jdk) {
    callees = std::make_unique<JdkCallees>(
        BootImage::open(system_property(jvm->jvmti, "java.home")), agent->methods_);
  }
  agent->hook_ = std::make_unique<ClassHook>(agent->options_, agent->methods_, std::move(callees),
                                             agent->ids_.get(), agent->types_.get());
  return agent;
}

std::string JvmAgent::expanded(const std::string& pattern) const {
  return expand_output_path(pattern, {program_, getpid(), started_});
}

Status JvmAgent::check_endings() const {
  const bool recorded = !options_.record.empty();
  Status status = recorded ? check_other_ending(output_path_, "a trace", ".trace")
                           : check_report_ending(output_path_);
  if (status.ok()) status = check_other_ending(event_path_, "an event file", ".events");
  return status;
}

Status JvmAgent::check_outputs() const {
  if (Status status = check_endings(); !status) return status;
  const bool is_regular_file = !options_.record.empty() || options_.snapshot_ms != 0;
  Status status = is_regular_file ? check_replaceable(output_path_) : check_writable(output_path_);
  const bool has_id_file = ids_ != nullptr && ids_->tables() != nullptr;
  if (status.ok() && has_id_file) {
    status = check_writable(id_file_path(output_path_));
  }
  if (status.ok() && !event_path_.empty()) status = check_replaceable(event_path_);
  if (status.ok()) {
    status = check_run_files(output_path_, has_id_file, event_path_, options_.graph);
  }
  return status;
}

Status JvmAgent::load(JavaVM* vm, const char* option_text) {
  Result<AgentOptions> options = parse_agent_options(option_text == nullptr ? "" : option_text);
  if (!options.ok()) return options.status();
  if (!options->dump.empty() || options->detach) {
    return Status::error("options dump and detach: are for a JVM that runs already");
  }
  const Result<JvmAgent*> made = make(vm, std::move(options).value(), nullptr);
  if (!made.ok()) return made.status();
  JvmAgent& agent = **made;
  install_agent(&agent);
  if (Status status = agent.take_capabilities(); !status) return status;
  if (Status status = agent.scale_stacks(vm); !status) return status;
  return agent.enable(std::array{JVMTI_EVENT_VM_START, JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH,
                                 JVMTI_EVENT_THREAD_START, JVMTI_EVENT_THREAD_END,
                                 JVMTI_EVENT_CLASS_FILE_LOAD_HOOK});
}

Status JvmAgent::take_capabilities() {
  jvmtiCapabilities capabilities{};
  capabilities.can_generate_all_class_hook_events = 1;
  capabilities.can_retransform_classes = 1;
  capabilities.can_tag_objects = 1;
  capabilities.can_generate_native_method_bind_events = stacks_scale(options_) ? 1 : 0;
  if (options_.jdk) {
    capabilities.can_generate_early_class_hook_events = 1;
    capabilities.can_generate_early_vmstart = 1;
  }
  if (jvmti_->AddCapabilities(&capabilities) != JVMTI_ERROR_NONE) {
    return Status::error("this JVM: lacks the capabilities to rewrite classes");
  }
  if (id_events_ != nullptr) {
    if (Status status = id_events_->add_capabilities(jvmti_); !status) return status;
  }
  const jvmtiEventCallbacks callbacks = agent_callbacks();
  if (jvmti_->SetEventCallbacks(&callbacks, sizeof callbacks) != JVMTI_ERROR_NONE) {
    return Status::error("this JVM: refuses event callbacks");
  }
  return {};
}

Status JvmAgent::enable(std::span<const jvmtiEvent> events) {
  for (const jvmtiEvent event : events) {
    if (jvmti_->SetEventNotificationMode(JVMTI_ENABLE, event, nullptr) != JVMTI_ERROR_NONE) {
      return Status::error("this JVM: refuses event " + std::to_string(event));
    }
  }
  return {};
}

Status JvmAgent::scale_stacks(JavaVM* vm) {
  if (!stacks_scale(options_) || !ThreadStacks::scale_in(vm, options_.main_stack_bytes)) return {};
  return enable(std::array{JVMTI_EVENT_NATIVE_METHOD_BIND});
}

void JvmAgent::vm_start(JNIEnv* jni) {
  if (!options_.jdk) return;
  if (const Status status = runtime_.define_probe(jni); !status) disable(status.message());
}

void JvmAgent::vm_init(JNIEnv* jni) {
  // Thread's natives are bound.
  jvmti_->SetEventNotificationMode(JVMTI_DISABLE, JVMTI_EVENT_NATIVE_METHOD_BIND, nullptr);
  if (const Status status = start(jni); !status) disable(status.message());
}

Status JvmAgent::start(JNIEnv* jni) {
  runtime_name_ = runtime_name(jvmti_);
  jvm_.loaders.find_builtin(jni);
  jvm_.virtual_threads.start(jni);
  Status started;
  switch (probe_kind(options_)) {
    case ProbeKind::kIds:
      started = start_ids(jni);
      break;
    case ProbeKind::kTrees:
      started = start_trees(jni);
      break;
    case ProbeKind::kRecords:
    case ProbeKind::kTokens:
      started = start_packets(jni);
      break;
  }
  if (!started) return started;
  recording_.store(true);
  if (trees_ != nullptr && has_continuations_.load()) trees_->keep_all_nodes();
  if (options_.snapshot_ms != 0) {
    started = snapshot_thread_.start("copse-snapshot", options_.snapshot_ms,
                                     [this] { write_snapshot(); });
    if (!started) fail(started.message());  // the report at the end can do without
  }
  return {};
}

Status JvmAgent::start_ids(JNIEnv* jni) {
  threads_ = &ids_->threads();
  recording_since_ = std::chrono::steady_clock::now();
  if (RunEvents::are_wanted(options_)) {
    run_events_ = std::make_unique<RunEvents>(options_, *ids_);
    if (!event_path_.empty()) {
      std::map<std::string, std::string> options = recording_options(options_);
      options.merge(id_options(options_));
      const Status status =
          run_events_->append_to(event_path_,
                                 {command_line(options_.main_stack_bytes), getpid(), runtime_name_,
                                  utc_time(started_), std::move(options)},
                                 methods_, outside_);
      if (status) {
        note("appending\t" + event_path_);
      } else {
        fail(status.message());  // events are summed all the same
      }
    }
    threads_ = &run_events_->threads();
  }
  const RuntimeClass::IdRun run{
      .ids = *ids_,
      .threads = *threads_,
      .asking_is_event = has_event(options_, info_of(EventKind::kId).name),
      .words_are_watched = has_event(options_, info_of(EventKind::kCpu).name),
      .allocations = run_events_ != nullptr ? run_events_->allocations() : nullptr,
      .types = types_.get(),
  };
  if (Status status = runtime_.start(jvmti_, jni, run); !status) return status;
  if (run_events_ != nullptr) {
    if (const Status status = run_events_->start(); !status) fail(status.message());
  }
  return id_events_->enable(jvmti_);
}

Status JvmAgent::start_trees(JNIEnv* jni) {
  trees_ = std::make_unique<InlineTrees>(
      memory_bound(options_), [this](MethodId method) { return methods_.site_count(method); },
      memory_of_run());
  threads_ = trees_.get();
  recording_since_ = std::chrono::steady_clock::now();
  return runtime_.start(jvmti_, jni, *trees_);
}

MemorySource& JvmAgent::memory_of_run() {
  if (options_.keep.empty()) return anonymous_memory();
  Result<std::unique_ptr<RunKeeper>> keeper =
      RunKeeper::start(jvmti_, options_, started_, output_path_, program_);
  if (!keeper.ok()) {
    note("unkept\t" + keeper.message());
    say("copse: " + keeper.message() + " (should the JVM be killed, its report is lost)");
    return anonymous_memory();
  }
  keeper_ = std::move(keeper).value();
  // Classes that are being rewritten now either see the keeper or are among these names.
  keeps_names_.store(keeper_.get());
  keeper_->add_names(methods_);
  return keeper_->memory();
}

Status JvmAgent::start_packets(JNIEnv* jni) {
  pool_ = std::make_unique<PacketPool>(
      PacketPoolOptions{.slots = options_.packet_slots, .memory = &memory_of_run()});
  const Result<PacketSink*> sink = make_sink();
  if (!sink.ok()) return sink.status();
  recorder_ = std::make_unique<Recorder>(*pool_, **sink);
  threads_ = recorder_.get();
  recording_since_ = std::chrono::steady_clock::now();
  if (validation_ != nullptr) {
    return runtime_.start(jvmti_, jni, validation_->token_run(*recorder_, pool_->packet_bytes()));
  }
  return runtime_.start(jvmti_, jni, *recorder_, pool_->packet_bytes());
}

Result<PacketSink*> JvmAgent::make_sink() {
  if (!options_.record.empty()) {
    Result<std::unique_ptr<trace::TraceSink>> trace =
        start_trace(jvmti_, options_, started_, output_path_, *pool_, methods_);
    if (!trace.ok()) return trace.status();
    trace_ = std::move(trace).value();
    return static_cast<PacketSink*>(trace_.get());
  }
  engine_ = Engine::make(
      EngineOptions{
          .kind = engine_of(options_) == EngineKind::kUptree ? EngineOptions::Kind::kUptree
                                                             : EngineOptions::Kind::kParallel,
          .workers = options_.workers != 0 ? options_.workers : workers_beside_program(),
          .sites = options_.sites,
          .fold_recursion = options_.fold_recursion,
          .event_every = options_.event_every,
          .most_nodes = nodes_within(memory_bound(options_)),
          .make_folder = validation_ != nullptr ? validation_->folders() : nullptr,
      },
      *pool_);
  return static_cast<PacketSink*>(engine_.get());
}

void JvmAgent::thread_start(JNIEnv* jni, jthread thread) {
  if (recording_.load()) runtime_.attach(jni, thread);
}

void JvmAgent::thread_end(JNIEnv* jni, jthread thread) {
  if (!recording_.load()) return;
  ThreadHeader* header = runtime_.header_of(jni, thread);
  if (header == nullptr) return;
  threads_->rename(header, thread_name(jvmti_, jni, thread));
  runtime_.forget(jni, thread);
  threads_->detach(header);
}

void JvmAgent::class_load(JNIEnv* jni, const ClassFile& file, jint* new_length,
                          unsigned char** new_bytes) {
  if (!rewriting_.load(std::memory_order_relaxed)) return;
  const std::vector<std::uint8_t> rewritten = rewrite(jni, file);
  keep_names();
  if (rewritten.empty()) return;
  // With --jdk vm_start() did, and before it nothing can be defined.
  if (!options_.jdk && !recording_.load(std::memory_order_relaxed)) {
    if (const Status status = runtime_.define_probe(jni); !status) return disable(status.message());
  }
  if (!jvm_.loaders.finds_probe(jni, file.loader)) {
    hook_->leave_without_probe(file.bytes, runtime_.probe_name());
    return keep_names();
  }
  unsigned char* memory = nullptr;
  if (jvmti_->Allocate(static_cast<jlong>(rewritten.size()), &memory) != JVMTI_ERROR_NONE) {
    throw std::bad_alloc();
  }
  std::memcpy(memory, rewritten.data(), rewritten.size());
  *new_length = static_cast<jint>(rewritten.size());
  *new_bytes = memory;
}

void JvmAgent::keep_names() {
  if (RunKeeper* keeper = keeps_names_.load(); keeper != nullptr) keeper->add_names(methods_);
}

std::vector<std::uint8_t> JvmAgent::rewrite(JNIEnv* jni, const ClassFile& file) {
  const bool of_virtual_threads = VirtualThreads::is_their_class(file.loader, file.name);
  if (file.loader == nullptr && !options_.jdk && !of_virtual_threads) return {};
  std::vector<std::uint8_t> rewritten;
  const LoaderIdentity identity = jvm_.loaders.identify(jni, file.loader);
  if (!identity.is_jdk && runtime_.kind() == ProbeKind::kTrees && names_continuations(file.bytes)) {
    has_continuations_.store(true);
    if (recording_.load() && trees_ != nullptr) trees_->keep_all_nodes();
  }
  if (hook_->wants(identity)) rewritten = hook_->rewrite(identity, file.bytes, file.again);
  if (of_virtual_threads) rewritten = jvm_.virtual_threads.rewrite(file.bytes);
  return rewritten;
}

bool JvmAgent::note(const std::string& line) const {
  const bool in_first = note_in_manifest(options_.manifest, line);
  return note_in_manifest(answer_, line) || in_first;
}

// Quiet or not, somebody has to hear it.
void JvmAgent::fail(const std::string& why) {
  const bool heard = note("failed\t" + why);
  const bool command_is_gone = !heard && !options_.manifest.empty();
  if (command_is_gone || !options_.quiet) {
    std::fprintf(stderr, "copse: %s\n", printable(why).c_str());
  }
}

void JvmAgent::disable(const std::string& why) noexcept {
  rewriting_.store(false);
  try {
    methods_.skipped("", "", "recording stopped: " + why);
    note("failed\t" + why);
    say("copse: " + why + " (the program goes on, its profile is incomplete)");
  } catch (...) {
    // No memory left even for the message; the host comes first.
  }
}

void JvmAgent::say(const std::string& line) const {
  if (!options_.quiet) std::fprintf(stderr, "%s\n", printable(line).c_str());
}

}  // namespace copse
