// Entry points for the JVM: load, attach, and one guarded entry per event and native method. No exception escapes into the
// JVM.
#include "agent/jvm/agent_main.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <span>
#include <string>

#include "agent/jvm/hotspot/hotspot_flags.h"
#include "agent/jvm/hotspot/machine_code.h"
#include "agent/jvm/hotspot/thread_stacks.h"
#include "agent/jvm/jvm_agent.h"
#include "agent/launch_variables.h"
#include "agent/line/manifest.h"
#include "base/printable.h"
#include "shadowstack/sampling/sampled_thread.h"

namespace copse::jvm {
namespace {

std::atomic<JvmAgent*> g_agent = nullptr;

// Drops events that come before attach() has installed its agent.
template <typename Body>
void guarded(const char* event, Body body) noexcept {
  JvmAgent* const agent = g_agent.load();
  if (agent == nullptr) return;
  try {
    body(*agent);
  } catch (const std::exception& error) {
    agent->disable(error.what(), event);
  } catch (...) {
    agent->disable("unknown failure", event);
  }
}

void JNICALL VMStart(jvmtiEnv*, JNIEnv* jni) {
  guarded("VM start", [&](JvmAgent& agent) { agent.vm_start(jni); });
}

void JNICALL VMInit(jvmtiEnv*, JNIEnv* jni, jthread) {
  guarded("VM init", [&](JvmAgent& agent) { agent.vm_init(jni); });
}

void JNICALL VMDeath(jvmtiEnv*, JNIEnv* jni) {
  guarded("VM death", [&](JvmAgent& agent) { agent.vm_death(jni); });
}

void process_exits() {
  guarded("exit", [](JvmAgent& agent) { agent.process_exits(); });
}

// Once for all agents of the process.
void end_with_process(JavaVM* vm) {
  // If there is no room, a kept run still has the calls.
  static const bool is_told = !may_exit_amid_work(vm) && std::atexit(process_exits) == 0;
  static_cast<void>(is_told);
}

void JNICALL ThreadStart(jvmtiEnv*, JNIEnv* jni, jthread thread) {
  guarded("thread start", [&](JvmAgent& agent) { agent.thread_start(jni, thread); });
}

void JNICALL ThreadEnd(jvmtiEnv*, JNIEnv* jni, jthread thread) {
  guarded("thread end", [&](JvmAgent& agent) { agent.thread_end(jni, thread); });
}

void JNICALL ClassFileLoadHook(jvmtiEnv*, JNIEnv* jni, jclass redefined, jobject loader,
                               const char* name, jobject, jint length, const unsigned char* bytes,
                               jint* new_length, unsigned char** new_bytes) {
  guarded("class load", [&](JvmAgent& agent) {
    const std::span file(bytes, static_cast<std::size_t>(length));
    agent.class_load(jni, {redefined != nullptr, loader, name, file}, new_length, new_bytes);
  });
}

void JNICALL ClassPrepare(jvmtiEnv*, JNIEnv* jni, jthread, jclass type) {
  guarded("class prepare", [&](JvmAgent& agent) { agent.class_prepare(jni, type); });
}

// Also before the JVM is initialised enough for anything else of ours.
void JNICALL NativeMethodBind(jvmtiEnv*, JNIEnv* jni, jthread, jmethodID method, void* function,
                              void** replacement) {
  ThreadStacks::bound(function, replacement);
  guarded("native method",
          [&](JvmAgent& agent) { agent.native_bound(jni, method, function, replacement); });
}

// No JNI and hardly any JVMTI function may be called here.
void JNICALL GarbageCollectionStart(jvmtiEnv*) { sampling::objects_begin_to_move(); }
void JNICALL GarbageCollectionFinish(jvmtiEnv*) { sampling::objects_stand_still(); }

// While a recording starts, too, when no agent is installed yet.
void JNICALL CompiledMethodLoad(jvmtiEnv*, jmethodID method, jint bytes, const void* code, jint,
                                const jvmtiAddrLocationMap*, const void* details) {
  MachineCode::of_process().compiled({method, code, bytes, details});
}

void JNICALL CompiledMethodUnload(jvmtiEnv*, jmethodID, const void* code) {
  MachineCode::of_process().dropped(code);
}

void JNICALL DynamicCodeGenerated(jvmtiEnv*, const char* name, const void* code, jint bytes) {
  MachineCode::of_process().generated(name, code, bytes);
}

}  // namespace

jvmtiEventCallbacks agent_callbacks() {
  jvmtiEventCallbacks callbacks{};
  callbacks.VMStart = VMStart;
  callbacks.VMInit = VMInit;
  callbacks.VMDeath = VMDeath;
  callbacks.ThreadStart = ThreadStart;
  callbacks.ThreadEnd = ThreadEnd;
  callbacks.ClassFileLoadHook = ClassFileLoadHook;
  callbacks.ClassPrepare = ClassPrepare;
  callbacks.NativeMethodBind = NativeMethodBind;
  callbacks.GarbageCollectionStart = GarbageCollectionStart;
  callbacks.GarbageCollectionFinish = GarbageCollectionFinish;
  callbacks.CompiledMethodLoad = CompiledMethodLoad;
  callbacks.CompiledMethodUnload = CompiledMethodUnload;
  callbacks.DynamicCodeGenerated = DynamicCodeGenerated;
  JvmEvents::set_callbacks(callbacks);
  return callbacks;
}

void guarded_event(const char* event, void (*body)(JvmEvents& events, void* data),
                   void* data) noexcept {
  guarded(event, [&](JvmAgent& agent) {
    if (JvmEvents* const events = agent.jvm_events(); events != nullptr) body(*events, data);
  });
}

void native_failed() noexcept {
  guarded("native method", [](JvmAgent&) { throw; });
}

void install_agent(JavaVM* vm, JvmAgent* agent) {
  g_agent.store(agent);
  end_with_process(vm);
}
bool agent_installed() { return g_agent.load() != nullptr; }

namespace {

Status obey(JavaVM* vm, JNIEnv* jni, const agent::AgentOptions& command) {
  JvmAgent* agent = g_agent.load();
  const bool dumps = agent::part<agent::DumpCommand>(command) != nullptr;
  const bool detaches = agent::part<agent::DetachCommand>(command) != nullptr;
  if (!dumps && !detaches) return JvmAgent::attach(vm, jni, command, agent);
  if (agent == nullptr) return Status::error(Fault::kRefused, "this JVM: is not being recorded");
  return detaches ? agent->detach(jni, command) : agent->dump(command);
}

// The JVM has read its options, and no Java code the environment.
void give_launch_variables_back() {
  for (const agent::LaunchVariable& variable : agent::kLaunchVariables) {
    const char* const value = std::getenv(variable.held);
    if (value == nullptr) continue;
    setenv(variable.name, value, 1);
    unsetenv(variable.held);
  }
}

// The agent was given twice, and the first one records. Another command that gave the second learns that it gets no file.
void leave_to_first(const char* option_text) {
  const Result<agent::AgentOptions> second =
      agent::parse_agent_options(option_text == nullptr ? "" : option_text);
  if (!second.ok() || !agent::writes_file(*second)) return;
  const JvmAgent* const first = g_agent.load();
  if (first == nullptr || second->manifest == first->manifest()) return;
  agent::add_note(second->manifest,
                  agent::UnwrittenNote{
                      second->out, second->out + ": not written: the JVM is recorded already, by "
                                                 "what stands in JAVA_TOOL_OPTIONS"});
}

// Runs the program without Copse after an unexpected failure.
void leave_unrecorded(const char* why) noexcept {
  g_agent.store(nullptr);
  std::fprintf(stderr, "copse: nothing is recorded: %s\n", why);
}

jint load(JavaVM* vm, const char* option_text) {
  if (agent_installed()) {
    leave_to_first(option_text);
    return JNI_OK;
  }
  give_launch_variables_back();
  const Status status = JvmAgent::load(vm, option_text);
  if (status.ok()) return JNI_OK;
  std::fprintf(stderr, "copse: %s\n", printable(status.message()).c_str());
  return JNI_ERR;
}

// The JVM's standard error is the program's: who sent the command reads the answer in the manifest.
jint attached(JavaVM* vm, const char* option_text) {
  const Result<agent::AgentOptions> command =
      agent::parse_agent_options(option_text == nullptr ? "" : option_text);
  if (!command.ok()) return JNI_ERR;
  void* jni = nullptr;
  if (vm->GetEnv(&jni, JNI_VERSION_10) != JNI_OK) return JNI_ERR;
  Status status;
  try {
    status = obey(vm, static_cast<JNIEnv*>(jni), *command);
  } catch (const std::exception& error) {
    status = Status::error(Fault::kInternal, std::string("attach: ") + error.what());
  }
  if (status.ok()) return JNI_OK;
  agent::add_note(command->manifest,
                  agent::TextNote{agent::TextNote::Kind::kFailed, status.message()});
  return JNI_ERR;
}

}  // namespace

}  // namespace copse::jvm

extern "C" JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM* vm, char* options, void*) {
  try {
    return copse::jvm::load(vm, options);
  } catch (const std::exception& error) {
    copse::jvm::leave_unrecorded(error.what());
  } catch (...) {
    copse::jvm::leave_unrecorded("unknown failure");
  }
  return JNI_OK;  // the program comes first
}

// Without memory even for an answer, the command that waits for one says so.
extern "C" JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM* vm, char* options, void*) {
  try {
    return copse::jvm::attached(vm, options);
  } catch (...) {
    return JNI_ERR;
  }
}
