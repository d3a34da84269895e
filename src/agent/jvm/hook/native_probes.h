// Records native methods of the program: when the JVM binds such a method to a function, a trampoline
// (native_trampoline.h) takes the function's place. The probes that it runs make the call one like any
// other, from bytecode, reflection, method handles and native code alike; callbacks hang below it. Native
// methods of the JDK are counted at call sites instead (callees.h).
//
// The entry is recorded by the Java method beginNative() of the probes' class (CopseProbe.java, CopseIds.java,
// CopseIdWords.java), or without Java where a tree in place has the context already. The end never needs Java.
//
// Methods that were bound before recording began are bound again with JNI's RegisterNatives
// (bound_functions.h).
//
// Thread-safe.
#pragma once

#include <jvmti.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "agent/jvm/hotspot/bound_functions.h"
#include "agent/jvm/hotspot/native_trampoline.h"
#include "agent/jvm/run.h"
#include "base/status.h"

namespace copse::jvm {

class Recording;

class NativeProbes {
 public:
  // Both arguments must outlive the JVM.
  NativeProbes(const Run& run, Recording& recording) : run_(run), recording_(recording) {}
  NativeProbes(const NativeProbes&) = delete;
  NativeProbes& operator=(const NativeProbes&) = delete;

  // Notes that a class of the program has native methods, whose ids are in the MethodTable.
  void expect(std::uint64_t loader, std::string_view internal_name);

  // Starts to give out trampolines. REQUIRES: the recording has started, and no other thread calls this,
  // bind_loaded() or stop() meanwhile.
  Status start(JNIEnv* jni);
  // Gives trampolines to methods of expected classes that are bound already.
  void bind_loaded(JNIEnv* jni);
  // Ends recording of native methods, and binds them to their own functions again.
  void stop(JNIEnv* jni);

  // Handles the JVMTI event NativeMethodBind; writes `replacement` if the method gets a trampoline.
  void bound(JNIEnv* jni, jmethodID method, void* function, void** replacement);

 private:
  struct Declared {
    std::string class_name;  // internal
    std::string name, descriptor;
    std::uint64_t loader;
  };

  // Returns false for methods of the JDK.
  bool find(JNIEnv* jni, jmethodID method, Declared& found) const;
  // Returns nullptr if the method is not recorded.
  void* trampoline_of(const Declared& method, void* function);
  // Returns nullptr if the address is not one of a trampoline.
  static void* function_behind(void* trampoline);
  bool is_expected(JNIEnv* jni, jobject loader, std::string_view internal_name);
  void bind_again(JNIEnv* jni, jclass type, jmethodID method, const BoundFunctions& functions);

  const Run& run_;
  Recording& recording_;
  std::atomic<bool> is_on_{false};

  // Shared by all recordings of a JVM, since a method may keep a trampoline from an earlier one.
  struct Trampolines {
    std::mutex mutex;                                       // guards the members below
    std::map<std::pair<std::uint32_t, void*>, void*> made;  // by method id and function
    std::unordered_map<void*, void*> functions;             // by trampoline
  };
  static Trampolines& trampolines();

  std::mutex mutex_;
  std::set<std::pair<std::uint64_t, std::string>> expected_;  // loader and class; guarded by mutex_
};

}  // namespace copse::jvm
