// Room for many local references: a function of the agent that asks for all classes or threads gets one each.
#pragma once

#include <jni.h>

namespace copse::jvm {

// References made while it lives end with it. Without memory for it they end where they would have; -Xcheck:jni warns then.
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
