// The natives of programs/Natives.java and the like.
#include <jni.h>

#include <thread>
#include <vector>

namespace {

JavaVM* java_vm = nullptr;
jclass natives = nullptr;  // global reference

jmethodID find(JNIEnv* jni, const char* name, const char* descriptor) {
  return jni->GetStaticMethodID(natives, name, descriptor);
}

jint call(JNIEnv* jni, const char* name, jint n) {
  return jni->CallStaticIntMethod(natives, find(jni, name, "(I)I"), n);
}

jint touch(JNIEnv* jni, jint n) { return call(jni, "touch", n); }

void throw_new(JNIEnv* jni) {
  const jclass type = jni->FindClass("java/lang/UnsupportedOperationException");
  jni->ThrowNew(type, "from native code");
}

jint JNICALL late_one(JNIEnv* jni, jclass, jint n) { return call(jni, "called", n); }
jint JNICALL late_two(JNIEnv*, jclass, jint n) { return n * 3; }

jint JNICALL open_of_own(JNIEnv*, jobject, jint n) { return n * 5; }

void native_thread(jint calls) {
  void* environment = nullptr;
  if (java_vm->AttachCurrentThread(&environment, nullptr) != JNI_OK) return;
  auto* jni = static_cast<JNIEnv*>(environment);
  const jmethodID on_thread = find(jni, "onNativeThread", "(I)V");
  for (jint i = 0; i < calls; ++i) jni->CallStaticVoidMethod(natives, on_thread, i);
  // With no Java frame below.
  for (jint i = 0; i < calls; ++i) call(jni, "callBack", i);
  java_vm->DetachCurrentThread();
}

}  // namespace

extern "C" {

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void*) {
  java_vm = vm;
  return JNI_VERSION_10;
}

#define NATIVE(type, name) JNIEXPORT type JNICALL Java_Natives_##name

NATIVE(jint, twice)(JNIEnv* jni, jclass type, jint n) {
  if (natives == nullptr) natives = static_cast<jclass>(jni->NewGlobalRef(type));
  return n * 2;
}
NATIVE(jint, hidden)(JNIEnv*, jclass, jint n) { return n + 7; }
NATIVE(jint, locked)(JNIEnv*, jclass, jint n) { return n - 1; }
NATIVE(jint, lockedOn)(JNIEnv* jni, jobject, jint n) { return touch(jni, n); }
NATIVE(jint, own)(JNIEnv* jni, jobject here, jint n) {
  const jfieldID number = jni->GetFieldID(natives, "number", "I");
  return jni->GetIntField(here, number) + n;
}
NATIVE(jint, finished)(JNIEnv*, jobject, jint n) { return n - 3; }
NATIVE(jint, virtual)(JNIEnv* jni, jobject, jint n) { return call(jni, "called", n); }

NATIVE(jint, callBack)(JNIEnv* jni, jclass, jint times) {
  jint sum = 0;
  for (jint i = 0; i < times; ++i) sum += call(jni, "called", i);
  return sum;
}
NATIVE(jint, nested)(JNIEnv* jni, jclass, jint depth) { return call(jni, "down", depth); }
NATIVE(jint, byNative)(JNIEnv* jni, jclass, jint n) {
  return call(jni, "twice", n) + call(jni, "callBack", 1);
}
NATIVE(void, throwNew)(JNIEnv* jni, jclass, jint) { throw_new(jni); }
NATIVE(void, passThrough)(JNIEnv* jni, jclass, jint n) { call(jni, "trouble", n); }
NATIVE(void, exchange)(JNIEnv* jni, jclass, jint n) {
  call(jni, "trouble", n);
  jni->ExceptionClear();
  call(jni, "called", n);
  throw_new(jni);
}

NATIVE(void, register)(JNIEnv* jni, jclass, jint which) {
  if (which < 0) {
    // All of them: those that have a name in the library are found by it again.
    jni->UnregisterNatives(natives);
    return;
  }
  char name[] = "late", descriptor[] = "(I)I";
  const auto function = which == 0 ? late_one : late_two;
  JNINativeMethod row = {name, descriptor, reinterpret_cast<void*>(function)};
  jni->RegisterNatives(natives, &row, 1);
}

NATIVE(void, bindIn)(JNIEnv* jni, jclass, jclass type) {
  char name[] = "open", descriptor[] = "(I)I";
  JNINativeMethod row = {name, descriptor, reinterpret_cast<void*>(open_of_own)};
  jni->RegisterNatives(type, &row, 1);
}

NATIVE(jint, find)(JNIEnv* jni, jclass, jstring name) {
  const char* text = jni->GetStringUTFChars(name, nullptr);
  const jclass found = jni->FindClass(text);
  jni->ReleaseStringUTFChars(name, text);
  return jni->GetStaticIntField(found, jni->GetStaticFieldID(found, "READY", "I"));
}

NATIVE(void, threads)(JNIEnv*, jclass, jint count, jint calls) {
  std::vector<std::thread> running;
  for (jint i = 0; i < count; ++i) running.emplace_back(native_thread, calls);
  for (std::thread& thread : running) thread.join();
}

NATIVE(jobject, keep)(JNIEnv* jni, jclass, jobject first, jobject second, jboolean is_first) {
  jni->CallStaticVoidMethod(natives, find(jni, "collect", "()V"));
  return is_first ? first : second;
}
NATIVE(jobject, make)(JNIEnv* jni, jclass, jint n) {
  return jni->NewObject(natives, jni->GetMethodID(natives, "<init>", "(I)V"), n);
}

NATIVE(jboolean, ofBoolean)(JNIEnv*, jclass, jboolean n) { return !n; }
NATIVE(jbyte, ofByte)(JNIEnv*, jclass, jbyte n) { return n; }
NATIVE(jchar, ofChar)(JNIEnv*, jclass, jchar n) { return n; }
NATIVE(jshort, ofShort)(JNIEnv*, jclass, jshort n) { return n; }
NATIVE(jlong, ofLong)(JNIEnv*, jclass, jlong n) { return n; }
NATIVE(jfloat, ofFloat)(JNIEnv*, jclass, jfloat n) { return n; }
NATIVE(jdouble, ofDouble)(JNIEnv*, jclass, jdouble n) { return n; }

NATIVE(jdouble, many)
(JNIEnv* jni, jclass, jint a, jdouble b, jlong c, jfloat d, jbyte e, jdouble f, jshort g, jdouble h,
 jchar i, jdouble j, jboolean k, jdouble l, jlong m, jfloat n, jint o, jdouble p, jstring q,
 jdouble r, jint s, jfloat t) {
  touch(jni, s);
  const jint length = jni->GetStringLength(q);
  return a + b * 2 + static_cast<double>(c) / 3 + d * 4.0 + e * 5 + f * 6 + g * 7 + h * 8 + i * 9 +
         j * 10 + k * 11 + l * 12 + static_cast<double>(m) * 13 + n * 14.0 + o * 15 + p * 16 +
         length * 17 + r * 18 + s * 19 + t * 20.0;
}
NATIVE(jlong, odd)
(JNIEnv* jni, jobject, jlong a, jint b, jlong c, jint d, jlong e, jint f, jobject g) {
  return a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + jni->GetStringLength(static_cast<jstring>(g));
}

NATIVE(jint, 00024Square_area)(JNIEnv*, jobject, jint n) { return n * n; }
NATIVE(jint, 00024Cube_edge)(JNIEnv* jni, jobject, jint n) { return touch(jni, n) + 12; }
NATIVE(jint, 00024Tesseract_area)(JNIEnv*, jobject, jint n) { return n * 32; }
NATIVE(jint, 00024Base_common)(JNIEnv*, jclass, jint n) { return n + 1; }
NATIVE(jint, 00024Derived_open)(JNIEnv*, jobject, jint n) { return n + 2; }
NATIVE(jint, 00024Kind_000241_of)(JNIEnv*, jobject, jint n) { return n + 4; }
NATIVE(jint, 00024Late_prepare)(JNIEnv* jni, jclass, jint n) { return touch(jni, n) + 1; }
NATIVE(jint, 00024Late_first)(JNIEnv* jni, jclass, jint n) { return touch(jni, n); }

JNIEXPORT void JNICALL Java_NativeOverflow_through(JNIEnv* jni, jclass type) {
  jni->CallStaticVoidMethod(type, jni->GetStaticMethodID(type, "dive", "()V"));
}
JNIEXPORT jint JNICALL Java_NativeOverflow_leaf(JNIEnv*, jclass, jint n) { return n; }
JNIEXPORT jint JNICALL Java_NativeOverflow_cleared(JNIEnv* jni, jclass type, jint n) {
  jni->CallStaticVoidMethod(type, jni->GetStaticMethodID(type, "dive", "()V"));
  jni->ExceptionClear();
  return jni->CallStaticIntMethod(type, jni->GetStaticMethodID(type, "after", "(I)I"), n);
}

}  // extern "C"
