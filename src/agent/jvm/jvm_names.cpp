#include "agent/jvm/jvm_names.h"

#include <dlfcn.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "agent/command_words.h"
#include "base/descriptor.h"

namespace copse::jvm {
namespace {

std::string take(jvmtiEnv* jvmti, char* text) {
  if (text == nullptr) return {};
  std::string copy(text);
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(text));
  return copy;
}

}  // namespace

std::string own_path() {
  static const char in_this_library = 0;
  Dl_info info{};
  if (dladdr(&in_this_library, &info) == 0 || info.dli_fname == nullptr) return {};
  return info.dli_fname;
}

std::string text_of(JNIEnv* jni, jobject object, jfieldID field) {
  const auto text = static_cast<jstring>(jni->GetObjectField(object, field));
  const char* const characters = text == nullptr ? nullptr : jni->GetStringUTFChars(text, nullptr);
  std::string copied;
  if (characters != nullptr) {
    copied = characters;
    jni->ReleaseStringUTFChars(text, characters);
  } else if (text != nullptr) {
    jni->ExceptionClear();
  }
  jni->DeleteLocalRef(text);
  return copied;
}

std::string type_signature(jvmtiEnv* jvmti, jclass type) {
  char* text = nullptr;
  if (jvmti->GetClassSignature(type, &text, nullptr) != JVMTI_ERROR_NONE) return {};
  return take(jvmti, text);
}

std::string method_name(jvmtiEnv* jvmti, jmethodID method) {
  char* text = nullptr;
  if (jvmti->GetMethodName(method, &text, nullptr, nullptr) != JVMTI_ERROR_NONE) return {};
  return take(jvmti, text);
}

jint line_at(jvmtiEnv* jvmti, jmethodID method, jlocation bci) {
  jint count = 0;
  jvmtiLineNumberEntry* lines = nullptr;
  if (jvmti->GetLineNumberTable(method, &count, &lines) != JVMTI_ERROR_NONE) return -1;
  jint line = -1;
  jlocation nearest = -1;
  for (const jvmtiLineNumberEntry& entry : std::span(lines, static_cast<std::size_t>(count))) {
    if (entry.start_location > bci || entry.start_location < nearest) continue;
    nearest = entry.start_location;
    line = entry.line_number;
  }
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(lines));
  return line;
}

std::string internal_name(jvmtiEnv* jvmti, jclass type) {
  const std::string signature = type_signature(jvmti, type);  // Lpkg/Name;
  return signature.size() < 2 || signature[0] != 'L' ? ""
                                                     : signature.substr(1, signature.size() - 2);
}

std::string dotted(std::string_view internal_name) {
  std::string name(internal_name);
  std::replace(name.begin(), name.end(), '/', '.');
  return name;
}

std::string class_name_of(jvmtiEnv* jvmti, JNIEnv* jni, jobject object) {
  const jclass type = jni->GetObjectClass(object);
  std::string name = internal_name(jvmti, type);
  jni->DeleteLocalRef(type);
  std::replace(name.begin(), name.end(), '/', '.');
  return name;
}

std::vector<std::string> method_names(jvmtiEnv* jvmti, jclass type) {
  jint count = 0;
  jmethodID* methods = nullptr;
  std::vector<std::string> names;
  if (jvmti->GetClassMethods(type, &count, &methods) != JVMTI_ERROR_NONE) return names;
  for (const jmethodID method : std::span(methods, static_cast<std::size_t>(count))) {
    if (std::string name = method_name(jvmti, method); !name.empty()) {
      names.push_back(std::move(name));
    }
  }
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(methods));
  return names;
}

std::string system_property(jvmtiEnv* jvmti, const char* key) {
  char* value = nullptr;
  if (jvmti->GetSystemProperty(key, &value) != JVMTI_ERROR_NONE) return {};
  return take(jvmti, value);
}

std::string runtime_name(jvmtiEnv* jvmti) {
  return system_property(jvmti, "java.vm.name") + " " + system_property(jvmti, "java.vm.version");
}

std::vector<std::string> command_line(std::uint64_t main_stack_bytes) {
  const std::string all = file_contents("/proc/self/cmdline").value_or("");
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t end = all.find('\0', begin);
    if (end == std::string::npos) end = all.size();
    words.push_back(all.substr(begin, end - begin));
    begin = end + 1;
  }
  return agent::typed_words(std::move(words), own_path(), main_stack_bytes);
}

}  // namespace copse::jvm
