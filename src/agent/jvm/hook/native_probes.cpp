#include "agent/jvm/hook/native_probes.h"

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "agent/jvm/hook/loaded_classes.h"
#include "agent/jvm/hook/native_calls.h"
#include "agent/jvm/hotspot/hotspot_flags.h"
#include "agent/jvm/hotspot/own_word.h"
#include "agent/jvm/jvm_names.h"
#include "agent/jvm/local_frame.h"
#include "agent/jvm/recordings/recording.h"

namespace copse::jvm {

NativeProbeState g_native_probes;

NativeProbes::Trampolines& NativeProbes::trampolines() {
  static auto* const all = new Trampolines();  // never destroyed: natives are bound until exit
  return *all;
}

void NativeProbes::expect(std::uint64_t loader, std::string_view internal_name) {
  const std::lock_guard lock(mutex_);
  expected_.emplace(loader, internal_name);
}

Status NativeProbes::start(JNIEnv* jni) {
  const RuntimeClass& runtime = run_.jvm.runtime;
  g_native_probes.type = runtime.class_named(runtime.kind().native_probe->java_class);
  g_native_probes.begin = jni->GetStaticMethodID(g_native_probes.type, "beginNative", "(IJZ)J");
  JavaVM* vm = nullptr;
  if (g_native_probes.begin == nullptr || jni->GetJavaVM(&vm) != JNI_OK) {
    return runtime_failure(jni, "lacks the probes of native methods");
  }
  g_native_probes.sets_fields_always = sets_fields_with_exceptions(vm);
  OwnWord::start(run_.jvm);
  g_native_probes.is_recording.store(true, std::memory_order_release);
  is_on_.store(true);
  constexpr jvmtiEvent kBound = JVMTI_EVENT_NATIVE_METHOD_BIND;
  if (run_.jvmti->SetEventNotificationMode(JVMTI_ENABLE, kBound, nullptr) != JVMTI_ERROR_NONE) {
    return Status::error(Fault::kUnsupported, "this JVM: does not tell which native code it calls");
  }
  return {};
}

bool NativeProbes::find(JNIEnv* jni, jmethodID method, Declared& found) const {
  jvmtiEnv* const jvmti = run_.jvmti;
  jclass type = nullptr;
  jobject loader = nullptr;
  if (jvmti->GetMethodDeclaringClass(method, &type) != JVMTI_ERROR_NONE) return false;
  const bool has_loader =
      jvmti->GetClassLoader(type, &loader) == JVMTI_ERROR_NONE && loader != nullptr;
  if (has_loader) {
    const LoaderIdentity identity = run_.jvm.loaders.identify(jni, loader);
    jni->DeleteLocalRef(loader);
    found.loader = identity.id;
    found.class_name = identity.is_jdk ? "" : internal_name(jvmti, type);
  }
  jni->DeleteLocalRef(type);
  if (!has_loader || found.class_name.empty()) return false;
  char* name = nullptr;
  char* descriptor = nullptr;
  if (jvmti->GetMethodName(method, &name, &descriptor, nullptr) != JVMTI_ERROR_NONE) return false;
  found.name = name;
  found.descriptor = descriptor;
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(name));
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(descriptor));
  return true;
}

void NativeProbes::bound(JNIEnv* jni, jmethodID method, void* function, void** replacement) {
  if (!is_on_.load() || function_behind(function) != nullptr) return;
  Declared declared;
  if (!find(jni, method, declared)) return;
  void* const trampoline = trampoline_of(declared, function);
  if (trampoline != nullptr) *replacement = trampoline;
}

// One function may serve several methods, and one method may be bound to several functions in turn.
void* NativeProbes::trampoline_of(const Declared& method, void* function) {
  MethodTable& methods = run_.jvm.methods;
  const MethodId id =
      methods.find_with_probes(method.loader, method.class_name, method.name, method.descriptor);
  if (id == kNoMethod) return nullptr;
  Trampolines& all = trampolines();
  const std::lock_guard lock(all.mutex);
  const auto [entry, is_new] = all.made.try_emplace({raw(id), function});
  if (!is_new) return entry->second;
  const std::optional<Recording::NativeEntry> probe =
      recording_.native_entry(id, method.class_name, method.name);
  if (!probe) return nullptr;
  auto* const trampoline = new NativeTrampoline{.function = function,
                                                .stack_words = stack_words_of(method.descriptor),
                                                .method = static_cast<jint>(raw(id)),
                                                .is_marked = probe->is_marked,
                                                .place = probe->place};
  entry->second = make_native_trampoline(*trampoline, run_.jvm.runtime.kind().native_probe->calls);
  if (entry->second == nullptr) {
    methods.skipped(
        method.class_name, method.name + method.descriptor,
        "native method: the system has no memory for code, so its calls are not counted");
    return nullptr;
  }
  all.functions.emplace(entry->second, function);
  return entry->second;
}

bool NativeProbes::is_expected(JNIEnv* jni, jobject loader, std::string_view internal_name) {
  if (loader == nullptr) return false;
  const std::uint64_t number = run_.jvm.loaders.identify(jni, loader).id;
  const std::lock_guard lock(mutex_);
  return expected_.contains({number, std::string(internal_name)});
}

void NativeProbes::bind_loaded(JNIEnv* jni) {
  {
    const std::lock_guard lock(mutex_);
    if (expected_.empty()) return;
  }
  JavaVM* vm = nullptr;
  if (jni->GetJavaVM(&vm) != JNI_OK) return;
  const LocalFrame frame(jni);
  const BoundFunctions functions(vm, jni, run_.jvm.runtime.natives_class());
  for (const jclass type : loaded_classes_that(run_.jvmti, jni, [&](jobject loader, auto name) {
         return is_expected(jni, loader, name);
       })) {
    jint count = 0;
    jmethodID* methods = nullptr;
    // Fails for a class that is not linked yet; none of its methods is bound.
    if (run_.jvmti->GetClassMethods(type, &count, &methods) == JVMTI_ERROR_NONE) {
      for (const jmethodID method : std::span(methods, static_cast<std::size_t>(count))) {
        jboolean is_native = JNI_FALSE;
        run_.jvmti->IsMethodNative(method, &is_native);
        if (is_native == JNI_TRUE) bind_again(jni, type, method, functions);
      }
      run_.jvmti->Deallocate(reinterpret_cast<unsigned char*>(methods));
    }
    jni->DeleteLocalRef(type);
  }
}

// Binds the method to a trampoline while recording, and to its own function afterwards. (The JVM ignores a
// binding to the present function, and reports none.)
void NativeProbes::bind_again(JNIEnv* jni, jclass type, jmethodID method,
                              const BoundFunctions& functions) {
  Declared declared;
  if (!find(jni, method, declared)) return;
  const std::optional<void*> known = functions.of(method);
  if (!known) {
    run_.jvm.methods.skipped(declared.class_name, declared.name + declared.descriptor,
                             "native method: may have been called before Copse came, and then its "
                             "calls are not counted");
    return;
  }
  if (*known == nullptr) return;
  void* const own = function_behind(*known);
  if (is_on_.load() == (own != nullptr)) return;
  void* const to = own != nullptr ? own : trampoline_of(declared, *known);
  if (to == nullptr) return;
  JNINativeMethod row = {declared.name.data(), declared.descriptor.data(), to};
  jni->RegisterNatives(type, &row, 1);
  if (jni->ExceptionCheck()) jni->ExceptionClear();  // it stays as it is
}

void* NativeProbes::function_behind(void* trampoline) {
  Trampolines& all = trampolines();
  const std::lock_guard lock(all.mutex);
  const auto behind = all.functions.find(trampoline);
  return behind == all.functions.end() ? nullptr : behind->second;
}

void NativeProbes::stop(JNIEnv* jni) {
  is_on_.store(false);
  g_native_probes.is_recording.store(false);
  bind_loaded(jni);
  run_.jvmti->SetEventNotificationMode(JVMTI_DISABLE, JVMTI_EVENT_NATIVE_METHOD_BIND, nullptr);
}

}  // namespace copse::jvm
