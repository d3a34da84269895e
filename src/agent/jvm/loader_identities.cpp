#include "agent/jvm/loader_identities.h"

#include "agent/jvm/jvm_names.h"

namespace copse {
namespace {

// Tells the platform loader before the JVM is initialised, when no method of ClassLoader's may be
// called.
constexpr const char* kPlatformLoaderClass = "jdk.internal.loader.ClassLoaders$PlatformClassLoader";

}  // namespace

LoaderIdentity LoaderIdentities::identify(JNIEnv* jni, jobject loader) {
  if (loader == nullptr) return {};
  LoaderIdentity identity;
  identity.is_jdk = platform_loader_ != nullptr
                        ? jni->IsSameObject(loader, platform_loader_) != JNI_FALSE
                        : class_name_of(jvmti_, jni, loader) == kPlatformLoaderClass;
  {
    // A tag, not an identity hash: tags of dead loaders are never met again.
    const std::lock_guard lock(mutex_);
    jlong tag = 0;
    jvmti_->GetTag(loader, &tag);
    if (tag == 0) {
      tag = next_tag_++;
      jvmti_->SetTag(loader, tag);
    }
    identity.id = static_cast<std::uint64_t>(tag);
  }
  if (identity.is_jdk) {
    identity.name = "platform";
  } else if (system_loader_ != nullptr && jni->IsSameObject(loader, system_loader_)) {
    identity.name = "app";
  } else {
    identity.name = class_name_of(jvmti_, jni, loader);
  }
  return identity;
}

void LoaderIdentities::find_jdk_loaders(JNIEnv* jni) {
  const jclass type = jni->FindClass("java/lang/ClassLoader");
  const auto call = [&](const char* method) -> jobject {
    const jmethodID id = jni->GetStaticMethodID(type, method, "()Ljava/lang/ClassLoader;");
    const jobject loader = id == nullptr ? nullptr : jni->CallStaticObjectMethod(type, id);
    if (jni->ExceptionCheck()) jni->ExceptionClear();
    return loader == nullptr ? nullptr : jni->NewGlobalRef(loader);
  };
  platform_loader_ = call("getPlatformClassLoader");
  system_loader_ = call("getSystemClassLoader");
}

}  // namespace copse
