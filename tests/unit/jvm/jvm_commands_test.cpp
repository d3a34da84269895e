#include "agent/jvm/jvm_commands.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <utility>

#include "stand_in_jvm.h"
#include "support/expect_fault.h"

namespace copse::jvm {
namespace {

// A text is its own reference.
jstring JNICALL new_string(JNIEnv*, const char* text) {
  return reinterpret_cast<jstring>(const_cast<char*>(text));
}
const char* JNICALL characters_of(JNIEnv*, jstring text, jboolean*) {
  return reinterpret_cast<const char*>(text);
}
void JNICALL release(JNIEnv*, jstring, const char*) {}
void JNICALL delete_reference(JNIEnv*, jobject) {}
void JNICALL clear(JNIEnv*) {}
jboolean JNICALL has_thrown(JNIEnv*) { return stand_in::printed == nullptr ? JNI_TRUE : JNI_FALSE; }

class JvmCommandsTest : public testing::Test {
 protected:
  JvmCommandsTest() {
    functions_.NewStringUTF = new_string;
    functions_.GetStringUTFChars = characters_of;
    functions_.ReleaseStringUTFChars = release;
    functions_.DeleteLocalRef = delete_reference;
    functions_.ExceptionCheck = has_thrown;
    functions_.ExceptionClear = clear;
    jni_.functions = &functions_;
    interface_.GetEnv = stand_in::get_env;
    vm_.functions = &interface_;
    stand_in::printed = "done";
    stand_in::commands = 0;
  }
  static void table(jint version, int entry) {
    stand_in::table_version = version;
    stand_in::command_entry = entry;
  }
  Result<std::string> run() { return run_jvm_command(&vm_, &jni_, "VM.version"); }

  JNIInvokeInterface_ interface_{};
  JavaVM vm_{};

 private:
  JNINativeInterface_ functions_{};
  JNIEnv jni_{};
};

TEST_F(JvmCommandsTest, RunByTheEntryThatTheTablesVersionHasForThem) {
  for (const auto& [version, entry] : {std::pair(0x20030000, 38), std::pair(0x20040000, 39)}) {
    table(version, entry);
    const Result<std::string> printed = run();
    ASSERT_TRUE(printed.ok()) << printed.message();
    EXPECT_EQ(*printed, "done");
  }
  EXPECT_EQ(stand_in::commands, 2);
}

TEST_F(JvmCommandsTest, AreRefusedByAJvmWhoseTableIsOfAnotherVersion) {
  for (const jint version : {0x20010000, 0x20020000, 0x20050000, 0x30000000}) {
    table(version, 39);
    EXPECT_FAULT(run(), kUnsupported);
  }
  EXPECT_EQ(stand_in::commands, 0);
}

TEST_F(JvmCommandsTest, AreRefusedByAJvmWithoutSuchATable) {
  void* const of_libc = reinterpret_cast<void*>(&::getpid);
  interface_.GetEnv = reinterpret_cast<decltype(interface_.GetEnv)>(of_libc);
  EXPECT_FAULT(run(), kUnsupported);
}

TEST_F(JvmCommandsTest, SayWhichCommandTheJvmRefused) {
  table(0x20040000, 39);
  stand_in::printed = nullptr;
  EXPECT_FAULT(run(), kUnsupported, "VM.version");
}

}  // namespace
}  // namespace copse::jvm
