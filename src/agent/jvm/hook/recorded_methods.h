// Ids of methods with probes, by the JVM's jmethodID.
//
// Threads: any; one mutex.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <functional>
#include <mutex>
#include <unordered_map>

#include "agent/jvm/hook/method_table.h"

namespace copse::jvm {

class RecordedMethods {
 public:
  using LoaderNumber = std::function<std::uint64_t(JNIEnv*, jobject loader)>;

  // `loader_number`: as given to MethodTable::open_class().
  RecordedMethods(jvmtiEnv* jvmti, const MethodTable& methods, LoaderNumber loader_number);

  // Returns kNoMethod if the method has no probes. Cost: a look-up; the first time, some questions to the JVM.
  MethodId id_of(JNIEnv* jni, jmethodID method);

 private:
  // Sets `is_final` to whether the answer stays the same.
  MethodId look_up(JNIEnv* jni, jmethodID method, bool& is_final) const;

  jvmtiEnv* const jvmti_;
  const MethodTable& methods_;
  const LoaderNumber loader_number_;

  std::mutex mutex_;
  std::unordered_map<jmethodID, MethodId> known_;
};

}  // namespace copse::jvm
