#include "agent/jvm/hotspot/thread_stacks.h"

#include <dlfcn.h>

#include <cstddef>
#include <mutex>

#include "agent/jvm/hotspot/thread_starts.h"
#include "agent/stack_scale.h"

namespace copse::jvm {
namespace {

using StartThread = void(JNICALL*)(JNIEnv*, jobject);

// Where a thread keeps the size it was made with: a field of Thread itself, or, from JDK 19 on, of
// its field holder.
struct StackSizeField {
  jfieldID holder = nullptr;
  jfieldID size = nullptr;
};

struct State {
  // Constant after bind_in() and scale_in().
  StartThread start = nullptr;
  bool scales = false;
  jlong default_bytes = 0;  // for threads made without a size; 0: leave them
  bool field_is_lent = false;
  // Found by the first thread that is started.
  std::once_flag found;
  StackSizeField field;
};

State& state() {
  static State* const state = new State();  // never destroyed: threads start until the very end
  return *state;
}

// Null with nothing pending.
jfieldID find_field(JNIEnv* jni, jclass type, const char* name, const char* signature) {
  if (type == nullptr) return nullptr;
  const jfieldID field = jni->GetFieldID(type, name, signature);
  if (jni->ExceptionCheck()) jni->ExceptionClear();
  return field;
}

StackSizeField find_size_field(JNIEnv* jni) {
  constexpr const char* kHolder = "java/lang/Thread$FieldHolder";
  StackSizeField field;
  const jclass thread = jni->FindClass("java/lang/Thread");
  field.size = find_field(jni, thread, "stackSize", "J");
  if (field.size == nullptr) {
    const jclass holder = jni->FindClass(kHolder);
    field.holder = find_field(jni, thread, "holder", "Ljava/lang/Thread$FieldHolder;");
    if (field.holder != nullptr) field.size = find_field(jni, holder, "stackSize", "J");
    if (holder != nullptr) jni->DeleteLocalRef(holder);
  }
  if (jni->ExceptionCheck()) jni->ExceptionClear();
  if (thread != nullptr) jni->DeleteLocalRef(thread);
  return field;
}

jlong more_than(jlong bytes) {
  if (bytes <= 0) return state().default_bytes;
  return static_cast<jlong>(agent::scaled_stack(static_cast<std::uint64_t>(bytes)));
}

// In the place of JVM_StartThread.
void JNICALL start_thread(JNIEnv* jni, jobject thread) {
  State& stacks = state();
  thread_starts(jni, thread);
  if (!stacks.scales) return stacks.start(jni, thread);
  std::call_once(stacks.found, [&] { stacks.field = find_size_field(jni); });
  const StackSizeField& field = stacks.field;
  const jobject owner =
      field.holder == nullptr ? thread : jni->GetObjectField(thread, field.holder);
  if (field.size == nullptr || owner == nullptr) return stacks.start(jni, thread);
  const jlong wish = jni->GetLongField(owner, field.size);
  const jlong more = more_than(wish);
  if (more <= wish) return stacks.start(jni, thread);

  jni->SetLongField(owner, field.size, more);
  stacks.start(jni, thread);
  const bool refused = jni->ExceptionCheck();
  if (refused) jni->ExceptionClear();
  if (refused || !stacks.field_is_lent) jni->SetLongField(owner, field.size, wish);
  // An exception here would be thrown without Copse too.
  if (refused) stacks.start(jni, thread);
}

// Returns the JVM's default stack size in bytes, by the question with which the launcher sizes its main thread.
// Options are in force by now.
jlong default_stack_bytes(void* jvm) {
  struct {  // of JNI 1.1, which the answer about other versions does not matter for
    jint version;
    char** properties;
    jint check_source;
    jint native_stack_bytes;
    jint java_stack_bytes;
    std::byte rest[128];
  } arguments{};
  using GetDefaults = jint(JNICALL*)(void*);
  const auto get = reinterpret_cast<GetDefaults>(dlsym(jvm, "JNI_GetDefaultJavaVMInitArgs"));
  arguments.version = JNI_VERSION_1_1;
  if (get != nullptr) get(&arguments);
  return arguments.java_stack_bytes;
}

void* library_of(JavaVM* vm) {
  Dl_info about{};
  if (dladdr(reinterpret_cast<void*>(vm->functions->GetEnv), &about) == 0) return nullptr;
  return dlopen(about.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

}  // namespace

bool ThreadStacks::bind_in(JavaVM* vm) {
  void* const jvm = library_of(vm);
  if (jvm == nullptr) return false;
  state().start = reinterpret_cast<StartThread>(dlsym(jvm, "JVM_StartThread"));
  return state().start != nullptr;
}

void ThreadStacks::scale_in(JavaVM* vm, std::uint64_t given_bytes, bool field_is_lent) {
  State& stacks = state();
  stacks.scales = true;
  stacks.field_is_lent = field_is_lent;
  const jlong in_force = default_stack_bytes(library_of(vm));
  const bool is_scaled = static_cast<std::uint64_t>(in_force) == given_bytes;
  if (in_force > 0 && !is_scaled) {
    stacks.default_bytes =
        static_cast<jlong>(agent::scaled_stack(static_cast<std::uint64_t>(in_force)));
  }
}

void ThreadStacks::bound(void* function, void** replacement) noexcept {
  if (function != reinterpret_cast<void*>(state().start)) return;
  *replacement = reinterpret_cast<void*>(start_thread);
}

}  // namespace copse::jvm
