// The natives of programs/Callbacks.java.
#include <jni.h>

#include <thread>
#include <vector>

namespace {

JavaVM* java_vm = nullptr;
jclass callbacks = nullptr;  // global reference

jmethodID find(JNIEnv* jni, const char* name, const char* descriptor) {
  return jni->GetStaticMethodID(callbacks, name, descriptor);
}

jint call(JNIEnv* jni, const char* name, jint n) {
  return jni->CallStaticIntMethod(callbacks, find(jni, name, "(I)I"), n);
}

// The number of exceptions there were to clear.
jint clear(JNIEnv* jni) {
  if (!jni->ExceptionCheck()) return 0;
  jni->ExceptionClear();
  return 1;
}

void throw_new(JNIEnv* jni) {
  jni->ThrowNew(jni->FindClass("java/lang/UnsupportedOperationException"), "from native code");
}

void native_thread(jint rounds, jint calls) {
  for (jint round = 0; round < rounds; ++round) {
    void* environment = nullptr;
    const bool daemon = round % 2 == 1;
    if ((daemon ? java_vm->AttachCurrentThreadAsDaemon(&environment, nullptr)
                : java_vm->AttachCurrentThread(&environment, nullptr)) != JNI_OK) {
      return;
    }
    auto* jni = static_cast<JNIEnv*>(environment);
    for (jint i = 0; i < calls; ++i) call(jni, "onNativeThread", i);
    call(jni, "trouble", 1);
    clear(jni);
    call(jni, "called", 1);
    java_vm->DetachCurrentThread();
  }
}

}  // namespace

extern "C" {

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void*) {
  java_vm = vm;
  void* environment = nullptr;
  if (vm->GetEnv(&environment, JNI_VERSION_10) != JNI_OK) return JNI_ERR;
  auto* jni = static_cast<JNIEnv*>(environment);
  callbacks = static_cast<jclass>(jni->NewGlobalRef(jni->FindClass("Callbacks")));
  return JNI_VERSION_10;
}

JNIEXPORT jint JNICALL Java_Callbacks_callBack(JNIEnv* jni, jclass, jint times) {
  jint sum = 0;
  for (jint i = 0; i < times; ++i) sum += call(jni, "called", i);
  return sum;
}

JNIEXPORT jint JNICALL Java_Callbacks_swallow(JNIEnv* jni, jclass, jint times) {
  jint sum = 0;
  for (jint i = 0; i < times; ++i) {
    call(jni, "trouble", i);
    sum += clear(jni);
    sum += call(jni, "called", i);
  }
  return sum;
}

JNIEXPORT jint JNICALL Java_Callbacks_swallowDeep(JNIEnv* jni, jclass, jint times) {
  jint sum = 0;
  for (jint i = 0; i < times; ++i) {
    call(jni, "deepTrouble", i);
    sum += clear(jni);
    sum += call(jni, "called", i);
  }
  call(jni, "deepTrouble", times);
  return sum + clear(jni);
}

JNIEXPORT void JNICALL Java_Callbacks_throwNew(JNIEnv* jni, jclass, jint) { throw_new(jni); }

JNIEXPORT void JNICALL Java_Callbacks_passThrough(JNIEnv* jni, jclass, jint n) {
  call(jni, "trouble", n);
}

JNIEXPORT void JNICALL Java_Callbacks_exchange(JNIEnv* jni, jclass, jint n) {
  call(jni, "trouble", n);
  clear(jni);
  call(jni, "called", n);
  throw_new(jni);
}

JNIEXPORT jint JNICALL Java_Callbacks_nested(JNIEnv* jni, jclass, jint depth) {
  return call(jni, "down", depth);
}

JNIEXPORT jint JNICALL Java_Callbacks_everyKind(JNIEnv* jni, jobject, jobject part, jint n) {
  jclass base = jni->FindClass("Callbacks$Base");
  jclass derived = jni->FindClass("Callbacks$Derived");
  jclass interface = jni->FindClass("Callbacks$Part");
  jobject made = jni->NewObject(derived, jni->GetMethodID(derived, "<init>", "(I)V"), n);
  jint sum = jni->CallIntMethod(part, jni->GetMethodID(base, "part", "(I)I"), n);
  sum += jni->CallIntMethod(made, jni->GetMethodID(interface, "part", "(I)I"), n);
  sum += jni->CallNonvirtualIntMethod(made, base, jni->GetMethodID(base, "part", "(I)I"), n);
  return sum;
}

JNIEXPORT void JNICALL Java_Callbacks_nativeThreads(JNIEnv*, jclass, jint threads, jint rounds,
                                                    jint calls) {
  std::vector<std::thread> running;
  for (jint i = 0; i < threads; ++i) running.emplace_back(native_thread, rounds, calls);
  for (std::thread& thread : running) thread.join();
}

}  // extern "C"
