#include "agent/jvm/hook/probe_callees.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "classfile/class_summary.h"
#include "classfile/opcodes.h"
#include "support/class_builder.h"
#include "support/expect_fault.h"

namespace copse::jvm {
namespace {

using classfile::Bytes;
using classfile::ClassBuilder;
using classfile::kAccFinal;
using classfile::kAccNative;
using classfile::kAccPrivate;
using classfile::kAccStatic;
namespace opcode = classfile::opcode;

constexpr std::uint8_t kInvokeVirtual = 182, kInvokeSpecial = 183, kInvokeDynamic = 186;
constexpr std::uint16_t kPublic = 1;

struct NamedCall {
  std::uint8_t opcode;
  std::string owner;
  std::string name;
};
struct Method {
  std::uint16_t access;
  std::string name;
  std::vector<NamedCall> calls = {};
};

// All methods take and return nothing.
Bytes class_file(const std::string& name, const std::vector<Method>& methods,
                 const std::string& super_name = "java/lang/Object") {
  ClassBuilder file(52, name, super_name);
  for (const Method& method : methods) {
    Bytes code;
    for (const NamedCall& call : method.calls) {
      const bool is_dynamic = call.opcode == kInvokeDynamic;
      const std::uint16_t index = is_dynamic ? file.invoke_dynamic(call.name, "()V")
                                             : file.method(call.owner, call.name, "()V");
      code.push_back(call.opcode);
      code.push_back(static_cast<std::uint8_t>(index >> 8));
      code.push_back(static_cast<std::uint8_t>(index));
      if (is_dynamic) code.insert(code.end(), {0, 0});
    }
    code.push_back(opcode::kReturn);
    file.add({.access = method.access, .name = method.name, .code = code});
  }
  return file.build();
}

class Image final : public BootImage {
 public:
  void add(const std::string& name, const std::vector<Method>& methods,
           const std::string& super_name = "java/lang/Object") {
    files_[name] = class_file(name, methods, super_name);
  }
  std::vector<std::uint8_t> read_class(std::string_view name) override {
    const auto found = files_.find(std::string(name));
    return found == files_.end() ? Bytes() : found->second;
  }

 private:
  std::map<std::string, Bytes> files_;
};

class ProbeCalleesTest : public testing::Test {
 protected:
  ProbeCalleesTest() {
    image.add("java/lang/Object", {{kPublic, "toString"}}, "");
    image.add("jdk/Unsafe",
              {{kPublic | kAccFinal | kAccNative, "native"},
               {kPublic | kAccFinal,
                "final",
                {{kInvokeVirtual, "jdk/Unsafe", "native"}, {kInvokeSpecial, "jdk/Unsafe", "own"}}},
               {kAccPrivate, "own", {{opcode::kInvokestatic, "jdk/Tools", "tool"}}},
               {kPublic, "open"}});
    image.add("jdk/Tools",
              {{kPublic | kAccStatic, "tool", {{opcode::kInvokestatic, "jdk/Tools", "tool"}}}});
    image.add("jdk/Inherits", {}, "jdk/Unsafe");
  }

  // Finds the callees of a probe class whose method enter() makes the calls.
  Result<ProbeCallees> of(const std::vector<NamedCall>& calls, std::vector<Method> more = {}) {
    more.push_back({kPublic | kAccStatic, "enter", calls});
    const Bytes file = class_file("java/lang/CopseTried", more);
    const ProbeKind::JavaClass probe{"CopseTried", file};
    return find_probe_callees({&probe, 1}, &image);
  }

  Image image;
};

TEST_F(ProbeCalleesTest, AreMethodsWithCodeAndThoseThatTheyCall) {
  const ProbeCallees all = {
      {"jdk/Tools", "tool()V"}, {"jdk/Unsafe", "final()V"}, {"jdk/Unsafe", "own()V"}};
  for (const char* owner : {"jdk/Unsafe", "jdk/Inherits"}) {
    const Result<ProbeCallees> found = of({{kInvokeVirtual, owner, "final"}});
    ASSERT_TRUE(found.ok()) << found.message();
    EXPECT_EQ(*found, all) << owner;
  }
  const Result<ProbeCallees> none =
      of({{kInvokeSpecial, "jdk/Unsafe", "open"},
          {opcode::kInvokestatic, "copse/CopseNative", "place"},
          {opcode::kInvokestatic, "java/lang/CopseOfAnotherKind", "enter"}});
  ASSERT_TRUE(none.ok()) << none.message();
  EXPECT_EQ(*none, (ProbeCallees{{"jdk/Unsafe", "open()V"}}));
}

TEST_F(ProbeCalleesTest, AreFoundThroughOtherProbesButNotWhatTheAgentCalls) {
  const std::vector<NamedCall> open = {{kInvokeVirtual, "jdk/Unsafe", "open"}};
  const std::vector<Method> more = {
      {kAccStatic, "start", open},
      {kAccPrivate | kAccStatic, "ofStart", open},
      {kAccPrivate | kAccStatic, "ofEnter", {{opcode::kInvokestatic, "jdk/Tools", "tool"}}}};
  const Result<ProbeCallees> found =
      of({{opcode::kInvokestatic, "java/lang/CopseTried", "ofEnter"}}, more);
  ASSERT_TRUE(found.ok()) << found.message();
  EXPECT_EQ(*found, (ProbeCallees{{"jdk/Tools", "tool()V"}}));
}

TEST_F(ProbeCalleesTest, AreRefusedWhereTheClassFilesDoNotTellThem) {
  EXPECT_FAULT(of({{kInvokeVirtual, "jdk/Unsafe", "open"}}), kUnsupported,
               "java.lang.CopseTried.enter()V", "jdk.Unsafe.open()V");
  EXPECT_FAULT(of({{kInvokeVirtual, "jdk/Unsafe", "gone"}}), kUnsupported, "jdk.Unsafe.gone()V");
  EXPECT_FAULT(of({{opcode::kInvokestatic, "jdk/Gone", "gone"}}), kUnsupported, "jdk.Gone.gone()V");
  EXPECT_FAULT(of({{kInvokeDynamic, "", "made"}}), kUnsupported, "made()V");
  EXPECT_FAULT(find_probe_callees({}, nullptr), kUnsupported, "lib/modules");
}

}  // namespace
}  // namespace copse::jvm
