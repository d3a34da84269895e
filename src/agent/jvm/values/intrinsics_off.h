// Makes this JVM's compilers compile calls as calls, for methods that are asked about and that compilers would
// replace with code of their own or leave out. No probe runs in such a call. Uses a compiler directive for all
// methods, and two switches.
//
// A program with directives of its own keeps them, and its calls stay replaced. Code compiled before stays as
// it is.
//
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
  // Returns whether to keep calls of the method.
  using Wanted = std::function<bool(const Intrinsic&)>;

  // Keeps calls of the wanted methods. A failure is no error: kept_as_calls() is false then.
  void start(JavaVM* vm, JNIEnv* jni, const Wanted& wanted);
  // Undoes start(), because the program goes on without Copse.
  void leave(JNIEnv* jni);

  // Returns whether calls of the method have stayed calls since start(). `method`: "java.lang.Math.abs".
  bool kept_as_calls(const std::string& method, const std::string& descriptor) const {
    const auto found = kept_.find(method);
    return found != kept_.end() && found->second != descriptor;
  }

 private:
  std::string first_directive(JNIEnv* jni) const;
  bool add_directive(JNIEnv* jni, std::vector<std::string> names);
  bool turn_off(std::string_view flag);

  JavaVM* vm_ = nullptr;
  std::string names_;                     // names in the directive that was added; "" if none
  std::set<std::string> switched_off_;    // flags that were on
  std::set<std::string> without_switch_;  // flags that cannot be switched off
  std::map<std::string, std::string_view> kept_;  // kept methods with their Intrinsic::interpreted
};

}  // namespace copse::jvm
