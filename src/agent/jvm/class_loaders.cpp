#include "agent/jvm/class_loaders.h"

#include "agent/jvm/jvm_names.h"
#include "agent/jvm/local_frame.h"

namespace copse::jvm {
namespace {

constexpr const char* kPlatformLoaderClass = "jdk.internal.loader.ClassLoaders$PlatformClassLoader";

// A tag is a loader's id and, in its lowest bits, its answer.
constexpr int kAnswerBits = 2;
constexpr jlong kAnswerMask = (1 << kAnswerBits) - 1;

}  // namespace

void ClassLoaders::find_builtin(JNIEnv* jni) {
  const jclass type = jni->FindClass("java/lang/ClassLoader");
  const auto call = [&](const char* method) -> jobject {
    const jmethodID id = jni->GetStaticMethodID(type, method, "()Ljava/lang/ClassLoader;");
    const jobject loader = id == nullptr ? nullptr : jni->CallStaticObjectMethod(type, id);
    if (jni->ExceptionCheck()) jni->ExceptionClear();
    return loader == nullptr ? nullptr : jni->NewGlobalRef(loader);
  };
  platform_loader_.store(call("getPlatformClassLoader"));
  system_loader_.store(call("getSystemClassLoader"));
}

jlong ClassLoaders::tag_of(jobject loader) {
  jlong tag = 0;
  jvmti_->GetTag(loader, &tag);
  if (tag == 0) {
    tag = next_id_++ << kAnswerBits;
    jvmti_->SetTag(loader, tag);
  }
  return tag;
}

LoaderIdentity ClassLoaders::identify(JNIEnv* jni, jobject loader) {
  if (loader == nullptr) return {};
  LoaderIdentity identity;
  const jobject platform = platform_loader_.load();
  const jobject system = system_loader_.load();
  identity.is_jdk = platform != nullptr
                        ? jni->IsSameObject(loader, platform) != JNI_FALSE
                        : class_name_of(jvmti_, jni, loader) == kPlatformLoaderClass;
  {
    const std::lock_guard lock(mutex_);
    identity.id = static_cast<std::uint64_t>(tag_of(loader) >> kAnswerBits);
  }
  if (identity.is_jdk) {
    identity.name = "platform";
  } else if (system != nullptr && jni->IsSameObject(loader, system)) {
    identity.name = "app";
  } else {
    identity.name = class_name_of(jvmti_, jni, loader);
  }
  return identity;
}

bool ClassLoaders::finds_probe(JNIEnv* jni, jobject loader) {
  if (loader == nullptr) return true;
  {
    const std::lock_guard lock(mutex_);
    const auto answer = static_cast<Answer>(tag_of(loader) & kAnswerMask);
    if (answer != Answer::kNotAsked) return answer == Answer::kFinds;
  }
  // Without the lock: the loader's code may load classes. Two threads may ask, and hear the same.
  const bool finds = ask(jni, loader);
  const std::lock_guard lock(mutex_);
  const jlong id = tag_of(loader) & ~kAnswerMask;
  jvmti_->SetTag(loader, id | static_cast<jlong>(finds ? Answer::kFinds : Answer::kDoesNot));
  return finds;
}

bool ClassLoaders::ask(JNIEnv* jni, jobject loader) const {
  const RuntimeClass::Unrecorded unrecorded(runtime_, jvmti_, jni);
  const LocalFrame frame(jni);
  const jclass type = jni->FindClass("java/lang/Class");
  const jmethodID for_name = jni->GetStaticMethodID(
      type, "forName", "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;");
  const jstring name = for_name == nullptr ? nullptr : jni->NewStringUTF(runtime_.probe_name());
  jobject found = nullptr;
  if (name != nullptr) {
    found = jni->CallStaticObjectMethod(type, for_name, name, jboolean{JNI_FALSE}, loader);
  }
  // Whatever the loader threw is the answer to a question that the program did not ask.
  const bool threw = jni->ExceptionCheck() != JNI_FALSE;
  if (threw) jni->ExceptionClear();
  return !threw && runtime_.is_probe(jni, found);
}

}  // namespace copse::jvm
