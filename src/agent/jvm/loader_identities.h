// Tells class loaders apart for the report and the default filter.
// Threads: any, after find_jdk_loaders().
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <mutex>
#include <string>

namespace copse {

// Who loads a class, as far as the report and the default filter care.
struct LoaderIdentity {
  std::uint64_t id = 0;  // 0: boot
  std::string name = "boot";
  bool is_jdk = true;  // boot or platform loader
};

class LoaderIdentities {
 public:
  explicit LoaderIdentities(jvmtiEnv* jvmti) : jvmti_(jvmti) {}

  // Once the JVM is initialised; before, loaders are told by their classes.
  void find_jdk_loaders(JNIEnv* jni);

  // `loader`: null for the boot loader.
  LoaderIdentity identify(JNIEnv* jni, jobject loader);

 private:
  jvmtiEnv* const jvmti_;
  jobject platform_loader_ = nullptr;  // global references
  jobject system_loader_ = nullptr;

  std::mutex mutex_;
  jlong next_tag_ = 1;  // under mutex_
};

}  // namespace copse
