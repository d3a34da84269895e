// What the JVM calls: load, and one guarded entry per event. Nothing of ours escapes into the JVM.
#include "agent/jvm/agent_main.h"

#include <cstdio>
#include <exception>

#include "agent/jvm/jvm_agent.h"
#include "base/printable.h"

namespace copse {
namespace {

JvmAgent* g_agent = nullptr;

template <typename Body>
void guarded(const char* event, Body body) noexcept {
  try {
    body(*g_agent);
  } catch (const std::exception& error) {
    g_agent->disable(std::string(event) + ": " + error.what());
  } catch (...) {
    g_agent->disable(std::string(event) + ": unknown failure");
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

void JNICALL ThreadStart(jvmtiEnv*, JNIEnv* jni, jthread thread) {
  guarded("thread start", [&](JvmAgent& agent) { agent.thread_start(jni, thread); });
}

void JNICALL ThreadEnd(jvmtiEnv*, JNIEnv* jni, jthread thread) {
  guarded("thread end", [&](JvmAgent& agent) { agent.thread_end(jni, thread); });
}

void JNICALL ClassFileLoadHook(jvmtiEnv*, JNIEnv* jni, jclass, jobject loader, const char* name,
                               jobject, jint length, const unsigned char* bytes, jint* new_length,
                               unsigned char** new_bytes) {
  guarded("class load", [&](JvmAgent& agent) {
    agent.class_load(jni, loader, name, length, bytes, new_length, new_bytes);
  });
}

void JNICALL Exception(jvmtiEnv*, JNIEnv* jni, jthread thread, jmethodID, jlocation, jobject,
                       jmethodID, jlocation) {
  guarded("exception", [&](JvmAgent& agent) { agent.id_events().exception(jni, thread); });
}

void JNICALL SampledObjectAlloc(jvmtiEnv*, JNIEnv* jni, jthread thread, jobject, jclass,
                                jlong bytes) {
  guarded("allocation", [&](JvmAgent& agent) { agent.id_events().allocation(jni, thread, bytes); });
}

void JNICALL MonitorContendedEnter(jvmtiEnv*, JNIEnv*, jthread, jobject) {
  guarded("contention", [](JvmAgent& agent) { agent.id_events().contended_enter(); });
}

void JNICALL MonitorContendedEntered(jvmtiEnv*, JNIEnv* jni, jthread thread, jobject) {
  guarded("contention", [&](JvmAgent& agent) { agent.id_events().contended_entered(jni, thread); });
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
  callbacks.Exception = Exception;
  callbacks.SampledObjectAlloc = SampledObjectAlloc;
  callbacks.MonitorContendedEnter = MonitorContendedEnter;
  callbacks.MonitorContendedEntered = MonitorContendedEntered;
  return callbacks;
}

void install_agent(JvmAgent* agent) { g_agent = agent; }
bool agent_installed() { return g_agent != nullptr; }

}  // namespace copse

extern "C" JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM* vm, char* options, void*) {
  if (copse::agent_installed()) return JNI_OK;  // given twice: the first one records
  const copse::Status status = copse::JvmAgent::load(vm, options);
  if (status.ok()) return JNI_OK;
  std::fprintf(stderr, "copse: %s\n", copse::printable(status.message()).c_str());
  return JNI_ERR;
}
