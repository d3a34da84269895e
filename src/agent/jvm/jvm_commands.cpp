#include "agent/jvm/jvm_commands.h"

#include <dlfcn.h>

namespace copse::jvm {
namespace {

using GetTable = void** (*)(jint version);
using RunCommand = jstring(JNICALL*)(JNIEnv*, jstring);

// Version of the table, and index of the entry that runs a command. A JVM has one version, and returns no table
// for others.
struct TableVersion {
  jint version;
  std::size_t entry;
};
constexpr TableVersion kVersions[] = {{0x20030000, 38}, {0x20040000, 39}};

RunCommand find_command(JavaVM* vm) {
  Dl_info found{};
  if (::dladdr(reinterpret_cast<const void*>(vm->functions->GetEnv), &found) == 0) return nullptr;
  void* const library = ::dlopen(found.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return nullptr;
  const auto get_table = reinterpret_cast<GetTable>(::dlsym(library, "JVM_GetManagement"));
  ::dlclose(library);  // which the JVM holds
  if (get_table == nullptr) return nullptr;
  for (const TableVersion& known : kVersions) {
    if (void** const table = get_table(known.version); table != nullptr) {
      return reinterpret_cast<RunCommand>(table[known.entry]);
    }
  }
  return nullptr;
}

}  // namespace

Result<std::string> run_jvm_command(JavaVM* vm, JNIEnv* jni, const std::string& command) {
  const RunCommand run = find_command(vm);
  if (run == nullptr)
    return Result<std::string>::error(Fault::kUnsupported,
                                      "this JVM: takes no diagnostic commands");
  const jstring text = jni->NewStringUTF(command.c_str());
  const jstring printed = text == nullptr ? nullptr : run(jni, text);
  if (jni->ExceptionCheck() == JNI_TRUE || printed == nullptr) {
    jni->ExceptionClear();
    if (text != nullptr) jni->DeleteLocalRef(text);
    return Result<std::string>::error(Fault::kUnsupported,
                                      "this JVM: refuses the diagnostic command " + command);
  }
  const char* const characters = jni->GetStringUTFChars(printed, nullptr);
  std::string all = characters == nullptr ? "" : characters;
  if (characters != nullptr) jni->ReleaseStringUTFChars(printed, characters);
  jni->DeleteLocalRef(printed);
  jni->DeleteLocalRef(text);
  return all;
}

}  // namespace copse::jvm
