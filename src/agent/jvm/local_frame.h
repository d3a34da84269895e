// Room for many local references. A function that asks for all classes or threads gets one for each.
#pragma once

#include <jni.h>

namespace copse::jvm {

// Frees the references made in its lifetime. If there is no memory for a frame, they live as long as they would
// without it, and -Xcheck:jni warns.
class LocalFrame {
 public:
  explicit LocalFrame(JNIEnv* jni) noexcept : jni_(jni) {
    constexpr jint kMostThatHotSpotTakes = 65'536;
    is_pushed_ = jni->PushLocalFrame(kMostThatHotSpotTakes) == JNI_OK;
    if (!is_pushed_) jni->ExceptionClear();
  }
  ~LocalFrame() {
    if (is_pushed_) jni_->PopLocalFrame(nullptr);
  }
  LocalFrame(const LocalFrame&) = delete;
  LocalFrame& operator=(const LocalFrame&) = delete;

 private:
  JNIEnv* const jni_;
  bool is_pushed_ = false;
};

}  // namespace copse::jvm
