// The oracle: every MethodEntry and MethodExit event of the JVM, into one tree.
//
// Each thread keeps the included frames that are live, with the JVM's own frame count at their
// entry. At an entry the nearest included caller is therefore known to lie (count now - its count)
// frames below, and JVMTI says where it stands.
//
// Threads: events come on the thread they happen in; the tree is under one mutex.
#include <jvmti.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "reference_tree.h"

namespace {

using reference::Method;
using reference::Node;

struct MethodFacts {
  bool included = false;
  bool is_start = false;  // counts where no frame is live that does
  Method method;
  std::vector<unsigned char> code;  // read when a call is first looked up in it
  bool code_read = false;
};

struct LiveFrame {
  jint frame_count;
  jmethodID method;
  Node* node;
};

// All written at start-up or under `tree_mutex`.
jvmtiEnv* jvmti = nullptr;
jobject platform_loader = nullptr;
std::string output_path;
bool with_jdk = false;
std::vector<std::string> below;  // CLASS.METHOD: calls of these and from below alone; none: all
std::mutex tree_mutex;
bool recording = false;
Node* const root = new Node;  // never freed: threads may still run when the JVM ends

thread_local std::vector<LiveFrame> live_frames;
thread_local std::unordered_map<jmethodID, MethodFacts> facts_of_thread;

void check(jvmtiError error, const char* what) {
  if (error == JVMTI_ERROR_NONE) return;
  std::fprintf(stderr, "reference agent: %s: JVMTI error %d\n", what, error);
  std::abort();
}

std::string take(char* jvmti_text) {
  std::string text = jvmti_text;
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(jvmti_text));
  return text;
}

// "Lpkg/Name;" to pkg.Name. The signature of a hidden class holds a '.' before its suffix.
std::string dotted(std::string signature) {
  signature = signature.substr(1, signature.size() - 2);
  for (char& c : signature) {
    if (c == '/') c = '.';
  }
  return signature;
}

std::string signature_of(jclass type) {
  char* text = nullptr;
  check(jvmti->GetClassSignature(type, &text, nullptr), "GetClassSignature");
  return take(text);
}

// Returns true for classes that the JDK generates at run time, into loaders of the program or its own.
bool is_written_by_jdk(JNIEnv* jni, jclass type, const std::string& signature) {
  if (signature.starts_with("Ljdk/internal/reflect/Generated")) return true;
  if (signature == "Lsun/reflect/misc/Trampoline;") return true;
  if (signature.find("$Proxy") == std::string::npos) return false;
  const jclass super = jni->GetSuperclass(type);
  const bool is_proxy = super != nullptr && signature_of(super) == "Ljava/lang/reflect/Proxy;";
  jni->DeleteLocalRef(super);
  return is_proxy;
}

bool counts(JNIEnv* jni, jclass declaring, const std::string& signature) {
  if (signature.find('.') != std::string::npos) return false;
  if (with_jdk) return true;
  jobject loader = nullptr;
  check(jvmti->GetClassLoader(declaring, &loader), "GetClassLoader");
  const bool of_jdk = loader == nullptr || jni->IsSameObject(loader, platform_loader);
  jni->DeleteLocalRef(loader);
  return !of_jdk && !is_written_by_jdk(jni, declaring, signature);
}

MethodFacts& facts(JNIEnv* jni, jmethodID id) {
  const auto [entry, added] = facts_of_thread.try_emplace(id);
  MethodFacts& found = entry->second;
  if (!added) return found;
  jclass declaring = nullptr;
  check(jvmti->GetMethodDeclaringClass(id, &declaring), "GetMethodDeclaringClass");
  const std::string signature = signature_of(declaring);
  found.included = counts(jni, declaring, signature);
  jni->DeleteLocalRef(declaring);
  if (!found.included) return found;
  char* name = nullptr;
  char* descriptor = nullptr;
  check(jvmti->GetMethodName(id, &name, &descriptor, nullptr), "GetMethodName");
  found.method = {dotted(signature), take(name), take(descriptor)};
  const std::string full_name = found.method.class_name + "." + found.method.name;
  found.is_start = below.empty() || std::find(below.begin(), below.end(), full_name) != below.end();
  return found;
}

bool is_invoke(JNIEnv* jni, jmethodID id, jlocation bci) {
  if (bci < 0) return false;  // a native frame
  MethodFacts& caller = facts(jni, id);
  if (!caller.code_read) {
    jint size = 0;
    unsigned char* code = nullptr;
    check(jvmti->GetBytecodes(id, &size, &code), "GetBytecodes");
    caller.code.assign(code, code + size);
    caller.code_read = true;
    jvmti->Deallocate(code);
  }
  const unsigned char opcode = caller.code.at(static_cast<std::size_t>(bci));
  return opcode >= 0xb6 && opcode <= 0xba;  // invokevirtual .. invokedynamic
}

jint frame_count(jthread thread) {
  jint count = 0;
  check(jvmti->GetFrameCount(thread, &count), "GetFrameCount");
  return count;
}

// Leaves the frames that are below the one with this count.
void drop_frames(jint count) {
  while (!live_frames.empty() && live_frames.back().frame_count >= count) live_frames.pop_back();
}

void JNICALL MethodEntry(jvmtiEnv*, JNIEnv* jni, jthread thread, jmethodID id) {
  const MethodFacts& callee = facts(jni, id);
  if (!callee.included || (live_frames.empty() && !callee.is_start)) return;
  const jint now = frame_count(thread);
  drop_frames(now);
  Node* parent = root;
  jlocation bci = -1;
  if (!live_frames.empty()) {
    const LiveFrame& caller = live_frames.back();
    parent = caller.node;
    jmethodID at = nullptr;
    check(jvmti->GetFrameLocation(thread, now - caller.frame_count, &at, &bci), "GetFrameLocation");
    if (at != caller.method) check(JVMTI_ERROR_INTERNAL, "the frames are not where they were");
    if (!is_invoke(jni, at, bci)) bci = -1;
  }
  const std::lock_guard lock(tree_mutex);
  if (!recording) return;
  live_frames.push_back({now, id, count_call(*parent, bci, callee.method)});
}

void JNICALL MethodExit(jvmtiEnv*, JNIEnv* jni, jthread thread, jmethodID id, jboolean, jvalue) {
  if (!live_frames.empty() && facts(jni, id).included) drop_frames(frame_count(thread));
}

void JNICALL VMInit(jvmtiEnv*, JNIEnv* jni, jthread) {
  jclass loaders = jni->FindClass("java/lang/ClassLoader");
  jmethodID get =
      jni->GetStaticMethodID(loaders, "getPlatformClassLoader", "()Ljava/lang/ClassLoader;");
  platform_loader = jni->NewGlobalRef(jni->CallStaticObjectMethod(loaders, get));
  recording = true;
  for (jvmtiEvent event : {JVMTI_EVENT_METHOD_ENTRY, JVMTI_EVENT_METHOD_EXIT}) {
    check(jvmti->SetEventNotificationMode(JVMTI_ENABLE, event, nullptr), "enabling events");
  }
}

void JNICALL VMDeath(jvmtiEnv*, JNIEnv*) {
  const std::lock_guard lock(tree_mutex);
  recording = false;
  if (!reference::write_json(*root, output_path)) {
    std::fprintf(stderr, "reference agent: %s: cannot be written\n", output_path.c_str());
  }
}

bool parse_options(const char* text) {
  std::istringstream parts(text == nullptr ? "" : text);
  for (std::string part; std::getline(parts, part, ',');) {
    if (part == "jdk") {
      with_jdk = true;
    } else if (part.starts_with("below=")) {
      below.push_back(part.substr(6));
    } else if (part.starts_with("out=")) {
      output_path = part.substr(4);
    } else {
      return false;
    }
  }
  return !output_path.empty();
}

}  // namespace

extern "C" JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM* vm, char* options, void*) {
  if (!parse_options(options)) {
    std::fprintf(stderr,
                 "reference agent: options: expected out=FILE[,jdk][,below=CLASS.METHOD...]\n");
    return JNI_ERR;
  }
  if (vm->GetEnv(reinterpret_cast<void**>(&jvmti), JVMTI_VERSION_11) != JNI_OK) return JNI_ERR;
  jvmtiCapabilities wanted{};
  wanted.can_generate_method_entry_events = 1;
  wanted.can_generate_method_exit_events = 1;
  wanted.can_get_bytecodes = 1;
  check(jvmti->AddCapabilities(&wanted), "AddCapabilities");
  jvmtiEventCallbacks callbacks{};
  callbacks.VMInit = VMInit;
  callbacks.VMDeath = VMDeath;
  callbacks.MethodEntry = MethodEntry;
  callbacks.MethodExit = MethodExit;
  check(jvmti->SetEventCallbacks(&callbacks, sizeof callbacks), "SetEventCallbacks");
  for (jvmtiEvent event : {JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH}) {
    check(jvmti->SetEventNotificationMode(JVMTI_ENABLE, event, nullptr), "enabling events");
  }
  return JNI_OK;
}
