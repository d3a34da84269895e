#include "agent/jvm/hook/class_loaders.h"

#include <algorithm>
#include <array>

#include "agent/jvm/jvm_names.h"
#include "agent/jvm/local_frame.h"
#include "agent/jvm/runtime/unrecorded.h"

namespace copse::jvm {
namespace {

constexpr const char* kPlatformLoaderClass = "jdk.internal.loader.ClassLoaders$PlatformClassLoader";

// Classes of loaders that the JDK makes for classes of its own: accessors of reflection and serialization
// (up to JDK 21), a helper of java.beans, classes of RMI, compiled style sheets, and the file system of
// another JDK's image. No other class loader in the JDK's modules defines classes that are not a program's.
constexpr std::array<std::string_view, 5> kLoadersOfJdk = {
    "jdk.internal.reflect.DelegatingClassLoader",
    "sun.reflect.misc.MethodUtil",
    "javax.management.remote.rmi.NoCallStackClassLoader",
    "com.sun.org.apache.xalan.internal.xsltc.trax.TemplatesImpl$TransletClassLoader",
    "jdk.internal.jrtfs.JrtFileSystemProvider$JrtFsLoader",
};

// A tag is a loader's id and, in its lowest bits, its answer.
constexpr int kAnswerBits = 2;
constexpr jlong kAnswerMask = (1 << kAnswerBits) - 1;

}  // namespace

bool is_proxy_of_jdk(std::string_view internal_name, std::string_view super_name) {
  constexpr std::string_view kPrefix = "$Proxy";
  const std::string_view name =
      internal_name.substr(internal_name.rfind('/') + 1);  // npos + 1: all of it
  return super_name == "java/lang/reflect/Proxy" && name.starts_with(kPrefix) &&
         name.size() > kPrefix.size() &&
         name.find_first_not_of("0123456789", kPrefix.size()) == std::string_view::npos;
}

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

bool ClassLoaders::is_of_jdk(JNIEnv* jni, jobject loader, std::string_view class_name) const {
  if (std::ranges::find(kLoadersOfJdk, class_name) == kLoadersOfJdk.end()) return false;
  const jclass type = jni->GetObjectClass(loader);
  jobject defined_by = nullptr;
  const bool is_boot =
      jvmti_->GetClassLoader(type, &defined_by) == JVMTI_ERROR_NONE && defined_by == nullptr;
  if (defined_by != nullptr) jni->DeleteLocalRef(defined_by);
  jni->DeleteLocalRef(type);
  return is_boot;
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
    identity.is_jdk = is_of_jdk(jni, loader, identity.name);
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
  const Unrecorded unrecorded(runtime_, jvmti_, jni);
  const LocalFrame frame(jni);
  const jclass type = jni->FindClass("java/lang/Class");
  const jmethodID for_name = jni->GetStaticMethodID(
      type, "forName", "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;");
  const jstring name =
      for_name == nullptr ? nullptr : jni->NewStringUTF(runtime_.probe_name().c_str());
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
