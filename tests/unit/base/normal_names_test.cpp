#include "base/normal_names.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace copse {
namespace {

TEST(NormalNames, LoseTheNumbersOfCompilersAndOfTheJvm) {
  const std::vector<std::pair<std::string, std::string>> classes = {
      {"a.Foo$$Lambda$14/0x00007f1f60007c08", "a.Foo$$Lambda"},
      {"a.Foo$$Lambda/0x000074c50c000a00", "a.Foo$$Lambda"},
      {"a.Foo$$Lambda$14/846947180", "a.Foo$$Lambda"},
      {"a.Foo$$Lambda$14+0x00007f/846947180", "a.Foo$$Lambda"},
      {"java.lang.invoke.LambdaForm$MH/0x0000000800c03000", "java.lang.invoke.LambdaForm$MH"},
      {"$Proxy12", "$Proxy*"},
      {"a.b.$Proxy3", "a.b.$Proxy*"},
      {"jdk.proxy2.$Proxy12", "jdk.proxy*.$Proxy*"},
      {"com.sun.proxy.$Proxy12", "jdk.proxy*.$Proxy*"},
      {"jdk.internal.reflect.GeneratedMethodAccessor12",
       "jdk.internal.reflect.GeneratedMethodAccessor*"},
      {"a.Foo$$EnhancerBySpringCGLIB$$1a2b3c4d$$FastClassBySpringCGLIB$$77_2",
       "a.Foo$$EnhancerBySpringCGLIB$$*$$FastClassBySpringCGLIB$$*"},
      {"a.Foo$ByteBuddy$AbC4x", "a.Foo$ByteBuddy$*"},
      {"a.Foo$MockitoMock$123$auxiliary$x1Y", "a.Foo$MockitoMock$*$auxiliary$*"},
      {"a.Foo_$$_jvst1f_3", "a.Foo_$$_jvst*"}};
  for (const auto& [name, normal] : classes) EXPECT_EQ(normal_class(name), normal) << name;
  const std::vector<std::pair<std::string, std::string>> methods = {
      {"lambda$f$3", "lambda$f$*"},
      {"lambda$3", "lambda$*"},
      {"lambda$f$1a2b3c4d$1", "lambda$f$1a2b3c4d$*"},
      {"access$000", "access$*"},
      {"f$lambda$1$lambda-0", "f$lambda$*$lambda-*"},
      {"$anonfun$f$1$adapted", "$anonfun$f$*$adapted"},
      {"CGLIB$run$0", "CGLIB$run$*"},
      {"invokeOther15:number", "invokeOther*:number"},
      {"callConstructor1:\\=a2\\=:b3", "callConstructor*:\\=a2\\=:b3"},
      {"RUBY$method$line$4", "RUBY$method$line$*"},
      {"run$accessor$x8Ab", "run$accessor$*"}};
  for (const auto& [name, normal] : methods) EXPECT_EQ(normal_method(name), normal) << name;
  EXPECT_EQ(normal_class("a.Foo$2", "<clinit>"), "a.Foo$*") << "a switch's table";
  EXPECT_EQ(normal_descriptor("(I[Ljdk/proxy2/$Proxy4;La/B;)La/C$$Lambda$3;"),
            "(I[Ljdk/proxy*/$Proxy*;La/B;)La/C$$Lambda;");
}

TEST(NormalNames, LeaveNamesThatPeopleGive) {
  for (const char* name :
       {"a.Foo$2", "a.Foo", "a.My$Proxy12", "a.Proxy12", "net.bytebuddy.ByteBuddy$Default",
        "jdk.proxyfoo.Bar", "a.Area/0xyz", "a.F12", "(evicted)", "", "a.Foo$$LambdaX"}) {
    EXPECT_EQ(normal_class(name), name);
  }
  for (const char* name :
       {"f", "f$1", "access$0x", "access$", "lambda$f", "mylambda$f$1", "<init>", "CGLIB$1",
        "a1b2:c", "12:c", "of:1", "RUBY$x", "[main]", "[pool-*-thread-*]", "get$original"}) {
    EXPECT_EQ(normal_method(name), name);
  }
}

TEST(NormalNames, AreTheirOwnNormalNames) {
  for (const char* name : {"a/0x1/12/0xff", "$lambda$lambda$3", "$ByteBuddy$ByteBuddy$x",
                           "CGLIB$$CGLIB$$a$1", "x$original$accessor$y", "lambda$1$2", "a1:b2:c",
                           "a*1:c", "RUBY$1", "$anonfun$1$2$", "_$$_jvst_$$_jvst1", "/1", "$1"}) {
    EXPECT_EQ(normal_class(normal_class(name)), normal_class(name));
    EXPECT_EQ(normal_class(normal_class(name, "<clinit>"), "<clinit>"),
              normal_class(name, "<clinit>"));
    EXPECT_EQ(normal_method(normal_method(name)), normal_method(name));
  }
}

TEST(NumberlessNames, HaveAStarForEachNumberOfAClass) {
  const std::vector<std::pair<std::string, std::string>> classes = {
      {"a.Foo$1", "a.Foo$*"},
      {"a.Foo$12$3Local", "a.Foo$*$*Local"},
      {"a.Foo$$anonfun$f$1", "a.Foo$$anonfun$f$*"},
      {"a.FooKt$f$1$2", "a.FooKt$f$*$*"},
      {"a.Foo$_f_closure1$_closure22", "a.Foo$_f_closure*$_closure*"},
      {"user$f$fn__123__auto__4", "user$f$fn__*__auto__*"},
      {"user$eval140", "user$eval*"},
      {"$line3.$read$$iw", "$line*.$read$$iw"},
      {"org.python.pycode._pyx12", "org.python.pycode._pyx*"},
      {"die.verwandlung.GregorSamsa0", "die.verwandlung.GregorSamsa*"},
      {"org.mozilla.javascript.gen.test_js_7", "org.mozilla.javascript.gen.test_js_*"},
      {"a.Foo$1$$Lambda$14/0x00007f1f60007c08", "a.Foo$*$$Lambda"},
      {"a.Foo$ByteBuddy$1bC", "a.Foo$ByteBuddy$*"}};
  for (const auto& [name, numberless] : classes) {
    EXPECT_EQ(numberless_class(name), numberless) << name;
    EXPECT_EQ(numberless_class(numberless), numberless);
  }
  for (const char* name : {"a.Foo", "a.Foo$Bar2", "a.Script7", "a.F12$Inner_3", "gen.x_js_7"}) {
    EXPECT_EQ(numberless_class(name), name);
  }
  EXPECT_EQ(numberless_class("a.Script7$_run_closure1", true), "a.Script*$_run_closure*");
  EXPECT_EQ(normal_descriptor("(La/Foo$1;[Luser$fn__12;)La/Foo$2Local;"),
            "(La/Foo$*;[Luser$fn__*;)La/Foo$*Local;");
}

}  // namespace
}  // namespace copse
