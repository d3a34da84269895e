#include "classfile/numbered_class.h"

#include <gtest/gtest.h>

#include <string>

#include "support/class_builder.h"

namespace copse::classfile {
namespace {

constexpr std::uint8_t kReturn = 0xB1, kPop = 0x57, kLdc = 0x12, kGoto = 0xA7, kBipush = 0x10;

std::uint8_t low_byte(std::uint16_t index) { return static_cast<std::uint8_t>(index); }

// A class whose m() calls what it is told.
Bytes class_calling(const std::string& name, const std::string& owner, const std::string& callee) {
  ClassBuilder builder(52, name);
  const std::uint16_t called = builder.method(owner, callee, "()V");
  builder.add({.code = {0xB8, static_cast<std::uint8_t>(called >> 8), low_byte(called), kReturn}});
  return builder.build();
}

std::string name_of(const Bytes& bytes, const std::string& name,
                    const std::string& loader = "app") {
  return stable_class_name(bytes, name, loader);
}

TEST(StableClassName, IsTheSameWhateverTheNumber) {
  const std::string stable = name_of(class_calling("a/V$1", "a/V", "work"), "a/V$1");
  EXPECT_EQ(stable.substr(0, 7), "a.V$*~~");
  EXPECT_EQ(stable.size(), 7u + 12u);
  EXPECT_EQ(name_of(class_calling("a/V$27", "a/V", "work"), "a/V$27"), stable);
}

TEST(StableClassName, IsAnotherWhereTheCodeIs) {
  const std::string stable = name_of(class_calling("a/V$1", "a/V", "work"), "a/V$1");
  EXPECT_NE(name_of(class_calling("a/V$1", "a/V", "rest"), "a/V$1"), stable);
  EXPECT_NE(name_of(class_calling("a/V$1", "a/W", "work"), "a/V$1"), stable);
}

TEST(StableClassName, DoesNotDependOnTheNumbersOfOthers) {
  const std::string stable = name_of(class_calling("a/V$1", "a/V$2", "work"), "a/V$1");
  EXPECT_EQ(name_of(class_calling("a/V$2", "a/V$3", "work"), "a/V$2"), stable);
  const std::string lambda = name_of(class_calling("a/V$1", "a/V", "lambda$f$0"), "a/V$1");
  EXPECT_EQ(name_of(class_calling("a/V$1", "a/V", "lambda$f$7"), "a/V$1"), lambda);
}

TEST(StableClassName, DependsOnNeitherPlacesOfConstantsNorJumps) {
  const auto name_with = [](std::uint32_t padding, std::uint8_t jump) {
    ClassBuilder builder(52, "a/V$1");
    builder.pad_pool(padding);
    const std::uint16_t text = builder.string("text");
    const bool is_far = text > 255;
    Bytes code = is_far ? Bytes{0x13, static_cast<std::uint8_t>(text >> 8), low_byte(text)}
                        : Bytes{kLdc, low_byte(text)};
    for (const std::uint8_t byte : {kPop, kGoto, std::uint8_t{0}, jump}) code.push_back(byte);
    code.resize(code.size() + jump - 3u, 0);  // nop
    code.push_back(kReturn);
    builder.add({.code = code});
    return name_of(builder.build(), "a/V$1");
  };
  EXPECT_FALSE(name_with(0, 3).empty());
  EXPECT_EQ(name_with(300, 3), name_with(0, 3));
}

TEST(StableClassName, TellsSmallNumbersInTheCodeApart) {
  const auto name_with = [](std::uint8_t number) {
    ClassBuilder builder(52, "a/V$1");
    builder.add({.code = {kBipush, number, kPop, kReturn}});
    return name_of(builder.build(), "a/V$1");
  };
  EXPECT_NE(name_with(7), name_with(8));
}

TEST(StableClassName, HasTheMethodAroundIt) {
  const auto name_with = [](const std::string& class_name, const std::string& method,
                            const std::string& descriptor, std::uint8_t number) {
    ClassBuilder builder(52, class_name);
    const std::uint16_t outer = builder.type("a/V"),
                        around = builder.name_and_type(method, descriptor);
    builder.add_attribute("EnclosingMethod", big_endian({outer, around}));
    builder.add({.code = {kBipush, number, kPop, kReturn}});
    return name_of(builder.build(), class_name);
  };
  const std::string anonymous = name_with("a/V$1", "main", "()V", 1);
  EXPECT_EQ(anonymous.substr(0, 11), "a.V$*~main~");
  EXPECT_NE(name_with("a/V$1", "main", "()V", 2), anonymous);
  EXPECT_EQ(name_with("a/V$1", "lambda$main$3", "()V", 1).substr(0, 20), "a.V$*~lambda$main$*~");
  // A local class is known by its name.
  const std::string local = name_with("a/V$1Local", "main", "()V", 1);
  EXPECT_EQ(local.substr(0, 16), "a.V$*Local~main~");
  EXPECT_EQ(name_with("a/V$2Local", "main", "()V", 2), local);
  EXPECT_NE(name_with("a/V$1Local", "main", "(I)V", 1), local);
}

TEST(StableClassName, IsOfClassesThatCompilersAndShellsNumber) {
  const auto numberless = [](const std::string& name, const std::string& loader = "app") {
    const std::string stable = name_of(class_calling(name, "a/V", "work"), name, loader);
    return stable.substr(0, stable.find('~'));
  };
  EXPECT_EQ(numberless("V$1$2"), "V$*$*");
  EXPECT_EQ(numberless("V$$anon$3"), "V$$anon$*");
  EXPECT_EQ(numberless("MainKt$sam$java_lang_Runnable$0"), "MainKt$sam$java_lang_Runnable$*");
  EXPECT_EQ(numberless("user$eval140$fn__141"), "user$eval*$fn__*");
  EXPECT_EQ(numberless("Build$_main_closure1$_closure2"), "Build$_main_closure*$_closure*");
  EXPECT_EQ(numberless("REPL/$JShell$12"), "REPL.$JShell$*");
  EXPECT_EQ(numberless("Script7"), "");
  EXPECT_EQ(numberless("Script7$_run_closure1", "groovy.lang.GroovyClassLoader$InnerLoader"),
            "Script*$_run_closure*");
  EXPECT_EQ(numberless("Script7", "groovy.lang.GroovyClassLoader$InnerLoader"), "Script*");
  for (const char* name : {"a/Sha256", "a/V", "a/V$Inner2", "a/Base64$Encoder", "a/F__x",
                           "jdk/proxy2/$Proxy12", "a/Foo$$Lambda$14"}) {
    EXPECT_EQ(numberless(name), "") << name;
  }
}

TEST(StableClassName, OfAMalformedClassIsNone) {
  Bytes bytes = class_calling("a/V$1", "a/V", "work");
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_EQ(
        name_of(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)), "a/V$1"),
        "");
  }
}

// Constants that are made of themselves, many times each.
TEST(StableClassName, EndsHoweverConstantsNest) {
  ClassBuilder builder(55, "a/V$1");
  const std::uint16_t dynamic = builder.invoke_dynamic("x", "()V");
  Bytes bootstraps = big_endian({1, dynamic, 1000});
  for (int i = 0; i < 1000; ++i) {
    bootstraps.push_back(static_cast<std::uint8_t>(dynamic >> 8));
    bootstraps.push_back(low_byte(dynamic));
  }
  builder.add_attribute("BootstrapMethods", bootstraps);
  builder.add(
      {.code = {0xBA, static_cast<std::uint8_t>(dynamic >> 8), low_byte(dynamic), 0, 0, kReturn}});
  EXPECT_EQ(name_of(builder.build(), "a/V$1"), "");
}

}  // namespace
}  // namespace copse::classfile
