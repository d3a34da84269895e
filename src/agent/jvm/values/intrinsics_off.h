// Has this JVM's compilers compile calls as calls where methods are asked about that they would
// replace with code of their own or leave out, for no probe runs then: by a compiler directive for all
// methods, and by two switches.
//
// A program that brought directives along keeps them, and has the replaced calls. What was compiled
// before stays as it is.
// Threads: start() and leave() once each; the rest any.
#pragma once

#include <jni.h>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "agent/jvm/values/intrinsics.h"

namespace copse::jvm {

class IntrinsicsOff {
 public:
  // Of those for which this is true.
  using Wanted = std::function<bool(const Intrinsic&)>;

  // Nothing is wrong where it fails: kept_as_calls() is false then.
  void start(JavaVM* vm, JNIEnv* jni, const Wanted& wanted);
  // The program goes on without us.
  void leave(JNIEnv* jni);

  // Whether nothing replaces calls of the method since start(). `method`: "java.lang.Math.abs".
  bool kept_as_calls(const std::string& method, const std::string& descriptor) const {
    const auto found = kept_.find(method);
    return found != kept_.end() && found->second != descriptor;
  }

 private:
  std::string first_directive(JNIEnv* jni) const;
  bool add_directive(JNIEnv* jni, std::vector<std::string> names);
  bool turn_off(std::string_view flag);

  JavaVM* vm_ = nullptr;
  std::string names_;                             // of the directive that was added; "": none was
  std::set<std::string> switched_off_;            // flags that were on
  std::set<std::string> without_switch_;          // flags that cannot be
  std::map<std::string, std::string_view> kept_;  // with their Intrinsic::interpreted
};

}  // namespace copse::jvm
