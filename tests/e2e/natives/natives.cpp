// The natives of programs/Rounds.java and programs/InTest.java.
#include <jni.h>

#include <chrono>
#include <thread>

namespace {

jint call_h(JNIEnv* jni, jclass type, jint times) {
  const jmethodID h = jni->GetStaticMethodID(type, "h", "(I)I");
  jint sum = 0;
  for (jint i = 0; i < times; ++i) sum += jni->CallStaticIntMethod(type, h, i);
  return sum;
}

jint JNICALL by_registration(JNIEnv*, jclass, jint n) { return n + 1; }

}  // namespace

extern "C" {

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void*) {
  void* environment = nullptr;
  if (vm->GetEnv(&environment, JNI_VERSION_10) != JNI_OK) return JNI_ERR;
  auto* jni = static_cast<JNIEnv*>(environment);
  const jclass type = jni->FindClass("Rounds");
  if (type == nullptr) {
    jni->ExceptionClear();  // another program
    return JNI_VERSION_10;
  }
  char name[] = "registered", descriptor[] = "(I)I";
  JNINativeMethod row = {name, descriptor, reinterpret_cast<void*>(by_registration)};
  jni->RegisterNatives(type, &row, 1);
  return JNI_VERSION_10;
}

JNIEXPORT jint JNICALL Java_Rounds_named(JNIEnv*, jclass, jint n) { return n; }
JNIEXPORT jint JNICALL Java_Rounds_late(JNIEnv*, jclass, jint n) { return n + 2; }
JNIEXPORT jint JNICALL Java_Rounds_f(JNIEnv* jni, jclass type, jint n) {
  return call_h(jni, type, n);
}
JNIEXPORT jint JNICALL Java_InTest_f(JNIEnv* jni, jclass type, jint n) {
  return call_h(jni, type, n);
}

JNIEXPORT void JNICALL Java_Rounds_fail(JNIEnv* jni, jclass, jint) {
  jni->ThrowNew(jni->FindClass("java/lang/IllegalStateException"), "from native code");
}

JNIEXPORT jint JNICALL Java_Rounds_hold(JNIEnv* jni, jclass type) {
  const jmethodID is_released = jni->GetStaticMethodID(type, "isReleased", "()Z");
  const jmethodID h = jni->GetStaticMethodID(type, "h", "(I)I");
  while (!jni->CallStaticBooleanMethod(type, is_released)) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return jni->CallStaticIntMethod(type, h, 1);
}

}  // extern "C"
