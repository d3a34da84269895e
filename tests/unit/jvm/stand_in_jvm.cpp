#include "stand_in_jvm.h"

#include <array>
#include <cstdlib>

namespace copse::jvm::stand_in {

jint table_version = 0;
int command_entry = 0;
const char* printed = nullptr;
int commands = 0;

jint JNICALL get_env(JavaVM*, void**, jint) { return JNI_ERR; }

namespace {

jstring JNICALL run_command(JNIEnv*, jstring) {
  ++commands;
  // A reference is opaque: the interface of the test knows what it stands for.
  return reinterpret_cast<jstring>(const_cast<char*>(printed));
}

jstring JNICALL other_function(JNIEnv*, jstring) { std::abort(); }

}  // namespace
}  // namespace copse::jvm::stand_in

extern "C" JNIEXPORT void* JVM_GetManagement(jint version) {
  using namespace copse::jvm::stand_in;
  static std::array<void*, 64> table;
  if (version != table_version) return nullptr;
  table.fill(reinterpret_cast<void*>(other_function));
  table[static_cast<std::size_t>(command_entry)] = reinterpret_cast<void*>(run_command);
  return table.data();
}
