#include "agent/jvm/jvm_agent.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <thread>
#include <utility>

#include "agent/engine_options.h"
#include "agent/jvm/agent_main.h"
#include "agent/jvm/hotspot/hotspot_flags.h"
#include "agent/jvm/hotspot/own_stack.h"
#include "agent/jvm/hotspot/own_word.h"
#include "agent/jvm/hotspot/thread_stacks.h"
#include "agent/jvm/jvm_names.h"
#include "agent/jvm/recordings/choose.h"
#include "agent/jvm/recordings/task_natives.h"
#include "agent/line/manifest.h"
#include "agent/options.h"
#include "agent/stack_scale.h"
#include "probes/runtime_classes.h"
#include "probes/task_probes.h"
#include "shadowstack/sampling/cpu_timers.h"

namespace copse::jvm {

namespace {

bool has_word_in_field(JavaVM* vm, const agent::AgentOptions& options) {
  const auto fits = probes_for(options).has_word_in_field;
  return fits != nullptr && fits(vm, options);
}

// Leaves processor time out if it would move the word out of its field, which makes probes slower, or if it could
// not be measured. It is then measured only if asked for.
void add_default_measures(JavaVM* vm, agent::AgentOptions& options) {
  if (!agent::takes_default_measures(options) || !sampling::CpuTimers::has_free_signal()) return;
  agent::AgentOptions measured = options;
  agent::part<agent::MeasureOptions>(measured)->measures = {"calls", "cpu"};
  if (has_word_in_field(vm, measured) == has_word_in_field(vm, options)) {
    options = std::move(measured);
  }
}

bool is_command(const agent::AgentOptions& options) {
  return agent::part<agent::DumpCommand>(options) != nullptr ||
         agent::part<agent::DetachCommand>(options) != nullptr;
}

WordPlace word_place(JavaVM* vm, jvmtiEnv* jvmti, const agent::AgentOptions& options) {
  if (!has_word_in_field(vm, options)) return WordPlace::kHeader;
  if (options.jdk) return WordPlace::kAddedField;
  const int jdk = std::atoi(system_property(jvmti, "java.vm.specification.version").c_str());
  return jdk < kFirstJdkWithHolder ? WordPlace::kStackSize : WordPlace::kHoldersStackSize;
}

// Has no memory for a recording: the program comes first.
void leave_unrecorded(const agent::AgentOptions& options, const std::string& why) {
  const std::string line = options.out + ": nothing is recorded: " + why;
  agent::add_note(options.manifest, agent::UnwrittenNote{options.out, line});
  if (!options.quiet) std::fprintf(stderr, "copse: %s\n", line.c_str());
}

// The cache is there for runs without Copse.
void leave_cache_unrecorded(const agent::AgentOptions& options) {
  constexpr const char* kWhy =
      "a JVM that makes an AOT cache (-XX:AOTCacheOutput, -XX:AOTMode=record) is not recorded: the "
      "cache would lack the recorded classes";
  agent::add_note(options.manifest, agent::TextNote{agent::TextNote::Kind::kFailed, kWhy});
  if (!options.quiet) std::fprintf(stderr, "copse: %s\n", kWhy);
}

// Between its first class and its last a JVM that starts gives no environment; it answers requests to attach before.
// JNI_EDETACHED: it has not come up in time.
jint wait_for_jvmti(JavaVM* vm, void** environment) {
  constexpr std::chrono::milliseconds kMostWait{30'000}, kBetweenLooks{10};
  const auto deadline = std::chrono::steady_clock::now() + kMostWait;
  jint got = vm->GetEnv(environment, JVMTI_VERSION_11);
  while (got == JNI_EDETACHED && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(kBetweenLooks);
    got = vm->GetEnv(environment, JVMTI_VERSION_11);
  }
  return got;
}

}  // namespace

Result<JvmAgent*> JvmAgent::make(JavaVM* vm, agent::AgentOptions options, const Coming& coming) {
  const std::string folder = std::filesystem::path(own_path()).parent_path().string();
  if (Status status = agent::load_workers(options, folder); !status) return status;
  add_default_measures(vm, options);
  void* environment = nullptr;
  JvmState* jvm = coming.jvm;
  if (jvm == nullptr) {
    const jint got = coming.is_attach ? wait_for_jvmti(vm, &environment)
                                      : vm->GetEnv(&environment, JVMTI_VERSION_11);
    if (got == JNI_EDETACHED)
      return Status::error(Fault::kRefused, "this JVM: is still starting; try again");
    if (got != JNI_OK) {
      return Status::error(Fault::kUnsupported,
                           "this JVM: has no JVMTI 11 (JDK 17 or later is needed)");
    }
  }
  // Never freed: callbacks and probes use it until the process ends.
  JvmAgent* agent = nullptr;
  try {
    if (jvm == nullptr) {
      jvmtiEnv* const jvmti = static_cast<jvmtiEnv*>(environment);
      jvm = new JvmState(jvmti,
                         options.jdk ? HeaderAccess::kThreadField : HeaderAccess::kTableByThreadId,
                         word_place(vm, jvmti, options), probes_for(options));
    }
    auto run = std::make_unique<Run>(*jvm, std::move(options), coming.is_attach);
    Result<std::unique_ptr<Recording>> recording = make_recording(*run);
    if (!recording.ok()) return recording.status();
    run->claim_paths();
    agent = new JvmAgent(std::move(run), std::move(recording).value());
  } catch (const std::bad_alloc&) {
    return Status::error(Fault::kLimit,
                         "the process may not have the memory for a recording (ulimit -v)");
  }
  Run& run = *agent->run_;
  if (Status status = run.check_files(agent->recording_->has_id_file()); !status) return status;

  std::unique_ptr<BootImage> image;
  ProbeCallees probe_callees;
  if (run.options.jdk || agent->recording_->wants_jdk()) {
    const bool has_threads = jvm->runtime.kind().has_threads;
    if (waits_for_moves(run.jvmti)) {
      jvm->virtual_threads.tell_moves(
          has_threads ? classfile::kThreadClass : classfile::kValuesClass, !has_threads);
    }
    image = BootImage::open(system_property(run.jvmti, "java.home"));
    Result<ProbeCallees> found =
        find_probe_callees(RuntimeClass::classes_of(jvm->runtime.kind()), image.get());
    if (!found.ok()) return found.status();
    probe_callees = std::move(found).value();
  }
  if (agent->recording_->records_natives() && has_native_trampolines()) {
    agent->natives_ = std::make_unique<NativeProbes>(run, *agent->recording_);
  }
  agent->hook_ = std::make_unique<ClassHook>(run.options, jvm->methods, std::move(image),
                                             std::move(probe_callees), *agent->recording_,
                                             agent->natives_.get());
  return agent;
}

Status JvmAgent::load(JavaVM* vm, const char* option_text) {
  Result<agent::AgentOptions> options =
      agent::parse_agent_options(option_text == nullptr ? "" : option_text);
  if (!options.ok()) return options.status();
  if (is_command(*options)) {
    return Status::error(Fault::kRefused, "mode " + std::string(agent::mode_name(*options)) +
                                              ": is for a JVM that is recorded already");
  }
  if (makes_aot_cache(vm)) {
    leave_cache_unrecorded(*options);
    return {};
  }
  const Result<JvmAgent*> made = make(vm, *options, {});
  if (!made.ok() && made.fault() == Fault::kLimit) {
    leave_unrecorded(*options, made.message());
    return {};
  }
  if (!made.ok()) return made.status();
  JvmAgent& agent = **made;
  install_agent(vm, &agent);
  if (Status status = agent.take_capabilities(); !status) return status;
  if (Status status = agent.bind_thread_start(vm); !status) return status;
  if (agent.run_->options.jdk) {
    leave_class_archives(vm);
    if (Status status = agent.enable(std::array{JVMTI_EVENT_CLASS_FILE_LOAD_HOOK}); !status)
      return status;
  }
  return agent.enable(std::array{JVMTI_EVENT_VM_START, JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH,
                                 JVMTI_EVENT_THREAD_START, JVMTI_EVENT_THREAD_END});
}

Status JvmAgent::take_capabilities() {
  jvmtiCapabilities capabilities{};
  capabilities.can_generate_all_class_hook_events = 1;
  capabilities.can_retransform_classes = 1;
  capabilities.can_tag_objects = 1;
  capabilities.can_generate_native_method_bind_events =
      agent::stacks_scale(run_->options) || recording_->wants_thread_starts() || natives_ != nullptr
          ? 1
          : 0;
  if (run_->options.jdk) {
    capabilities.can_generate_early_class_hook_events = 1;
    capabilities.can_generate_early_vmstart = 1;
  }
  if (run_->jvmti->AddCapabilities(&capabilities) != JVMTI_ERROR_NONE) {
    return Status::error(Fault::kUnsupported,
                         "this JVM: lacks the capabilities to rewrite classes");
  }
  if (Status status = recording_->add_capabilities(); !status) return status;
  const jvmtiEventCallbacks callbacks = agent_callbacks();
  if (run_->jvmti->SetEventCallbacks(&callbacks, sizeof callbacks) != JVMTI_ERROR_NONE) {
    return Status::error(Fault::kUnsupported, "this JVM: refuses event callbacks");
  }
  return {};
}

Status JvmAgent::enable(std::span<const jvmtiEvent> events) {
  for (const jvmtiEvent event : events) {
    if (run_->jvmti->SetEventNotificationMode(JVMTI_ENABLE, event, nullptr) != JVMTI_ERROR_NONE) {
      return Status::error(Fault::kUnsupported, "this JVM: refuses event " + std::to_string(event));
    }
  }
  return {};
}

Status JvmAgent::bind_thread_start(JavaVM* vm) {
  const bool scales = agent::stacks_scale(run_->options);
  if ((!scales && !recording_->wants_thread_starts()) || !ThreadStacks::bind_in(vm)) return {};
  if (scales) {
    ThreadStacks::scale_in(vm, run_->options.main_stack_bytes,
                           run_->jvm.runtime.takes_stack_size());
  }
  return enable(std::array{JVMTI_EVENT_NATIVE_METHOD_BIND});
}

void JvmAgent::vm_start(JNIEnv* jni) {
  if (!run_->options.jdk) return;
  if (const Status status = run_->jvm.runtime.define_probe(jni); !status) disable(status.message());
}

void JvmAgent::vm_init(JNIEnv* jni) {
  // Thread's natives are bound.
  run_->jvmti->SetEventNotificationMode(JVMTI_DISABLE, JVMTI_EVENT_NATIVE_METHOD_BIND, nullptr);
  if (const Status status = start(jni); !status) return leave_alone(status.message());
  start_snapshots();
  if (!run_->options.jdk) {
    if (const Status status = take_loaded(jni); !status) return disable(status.message());
  }
  if (recording_->wants_thread_starts()) run_->jvm.virtual_threads.watch_now(jni);
  if (natives_ != nullptr) natives_->bind_loaded(jni);
}

// The class hook is on from here only: the JVM leaves an AOT cache unused where an agent would see classes earlier. The
// cache's classes are loaded by now, and none of the program's has run.
Status JvmAgent::take_loaded(JNIEnv* jni) {
  if (Status status = enable(std::array{JVMTI_EVENT_CLASS_FILE_LOAD_HOOK}); !status) return status;
  // Code of another agent may run by now, and be loading more on a thread of its own.
  if (retransform_loaded(jni).classes == 0) return {};
  return enable(std::array{JVMTI_EVENT_CLASS_PREPARE});
}

Status JvmAgent::start(JNIEnv* jni) {
  run_->runtime = runtime_name(run_->jvmti);
  run_->jvm.loaders.find_builtin(jni);
  run_->jvm.virtual_threads.start(jni);
  recording_since_ = std::chrono::steady_clock::now();
  try {
    if (Status status = recording_->start(jni); !status) return status;
  } catch (const std::bad_alloc&) {
    return Status::error(Fault::kLimit,
                         "the process may not have the memory for a recording (ulimit -v)");
  }
  if (natives_ != nullptr) {
    if (Status status = natives_->start(jni); !status) return status;
  }
  is_recording_.store(true);
  return {};
}

void JvmAgent::start_snapshots() {
  if (run_->options.snapshot_ms == 0) return;
  const Status started = snapshot_thread_.start("copse-snapshot", run_->options.snapshot_ms,
                                                [this] { write_snapshot(); });
  if (!started) run_->fail(started.message());  // the report at the end can do without
}

void JvmAgent::thread_start(JNIEnv* jni, jthread thread) {
  RuntimeClass& runtime = run_->jvm.runtime;
  if (!is_recording_.load()) return runtime.clear_word(jni, thread);
  if (!run_->jvm.own_threads.has(jni, thread)) runtime.attach(jni, thread);
}

void JvmAgent::thread_end(JNIEnv* jni, jthread thread) {
  OwnWord::forget(jni);
  run_->jvm.own_threads.forget(jni, thread);
  if (!is_recording_.load()) return;
  shadowstack::ThreadHeader* header = run_->jvm.runtime.header_of(jni, thread);
  if (header == nullptr) return;
  shadowstack::ThreadRecorder& threads = recording_->threads();
  threads.rename(header, run_->jvm.runtime.name_of(jni, thread));
  run_->jvm.runtime.forget(jni, thread);
  threads.detach(header);
}

void JvmAgent::native_bound(JNIEnv* jni, jmethodID method, void* function, void** replacement) {
  if (natives_ != nullptr) natives_->bound(jni, method, function, replacement);
}

void JvmAgent::class_load(JNIEnv* jni, const ClassFile& file, jint* new_length,
                          unsigned char** new_bytes) {
  if (!rewriting_.load(std::memory_order_relaxed)) return;
  const std::vector<std::uint8_t> rewritten = rewrite(jni, file);
  recording_->has_new_names();
  if (rewritten.empty()) return;
  if (!run_->jvm.loaders.finds_probe(jni, file.loader)) {
    hook_->leave_without_probe(file.bytes, run_->jvm.runtime.probe_name());
    return recording_->has_new_names();
  }
  unsigned char* memory = nullptr;
  if (run_->jvmti->Allocate(static_cast<jlong>(rewritten.size()), &memory) != JVMTI_ERROR_NONE) {
    throw std::bad_alloc();
  }
  std::memcpy(memory, rewritten.data(), rewritten.size());
  *new_length = static_cast<jint>(rewritten.size());
  *new_bytes = memory;
}

std::vector<std::uint8_t> JvmAgent::rewrite(JNIEnv* jni, const ClassFile& file) {
  const bool of_virtual_threads = VirtualThreads::is_their_class(file.loader, file.name);
  const bool of_jdk = run_->options.jdk || recording_->wants_jdk();
  const bool of_tasks = is_of_tasks(file.loader, file.name == nullptr ? "" : file.name);
  if (file.loader == nullptr && !of_jdk && !of_virtual_threads && !of_tasks) return {};
  std::vector<std::uint8_t> rewritten;
  const LoaderIdentity identity = run_->jvm.loaders.identify(jni, file.loader);
  if (!identity.is_jdk) recording_->sees_class(file.bytes);
  if (hook_->wants(identity)) rewritten = hook_->rewrite(identity, file.bytes, file.again);
  if (of_virtual_threads) rewritten = run_->jvm.virtual_threads.rewrite(file.bytes);
  if (of_tasks) {
    std::vector<std::uint8_t> with_tasks =
        put_task_probes(file.name, rewritten.empty() ? file.bytes : rewritten, run_->jvm.methods);
    if (!with_tasks.empty()) rewritten = std::move(with_tasks);
  }
  return rewritten;
}

bool JvmAgent::is_of_tasks(jobject loader, std::string_view internal_name) const noexcept {
  return loader == nullptr && recording_->follows_tasks() &&
         classfile::has_task_probes(internal_name);
}

void JvmAgent::leave_alone(const std::string& why) {
  rewriting_.store(false);
  recording_->abandon();
  if (!agent::writes_file(run_->options)) return run_->fail(why);
  run_->fail_to_write(run_->output_path, run_->output_path + ": nothing is recorded: " + why);
}

void JvmAgent::disable(std::string_view reason, std::string_view event) noexcept {
  rewriting_.store(false);
  if (is_disabled_.exchange(true)) return;
  try {
    const std::string why =
        event.empty() ? std::string(reason) : std::string(event) + ": " + std::string(reason);
    run_->jvm.methods.skipped("", "", "recording stopped: " + why);
    run_->note(agent::TextNote{agent::TextNote::Kind::kFailed, why});
    run_->say(why + " (the program goes on, its profile is incomplete)");
  } catch (...) {
    // No memory left even for the message; the host comes first.
  }
}

}  // namespace copse::jvm
