#include "import/frame_name.h"

#include <gtest/gtest.h>

namespace copse::join {
namespace {

// "class|method|descriptor|line" of a Java frame, else what it is.
std::string parts(std::string_view text) {
  const TextFrame found = frame_of_text(text, FrameReading::kToCompare);
  if (found.kind == FrameKind::kOther) return "other";
  if (found.kind == FrameKind::kMissing) return "missing";
  EXPECT_EQ(found.frame.bci, -1);
  return found.frame.class_name + "|" + found.frame.method + "|" + found.frame.descriptor + "|" +
         std::to_string(found.frame.line);
}

TEST(FrameName, IsReadAsAsyncProfilerSpellsIt) {
  EXPECT_EQ(parts("java/lang/String.equals"), "java.lang.String|equals||-1");
  EXPECT_EQ(parts("java/lang/String.equals_[j]"), "java.lang.String|equals||-1");
  EXPECT_EQ(parts("java.lang.String.equals_[i]"), "java.lang.String|equals||-1");
  EXPECT_EQ(parts("com/acme/Foo$Bar.<init>_[0]"), "com.acme.Foo$Bar|<init>||-1");
  EXPECT_EQ(parts("com/acme/Foo.bar:123_[1]"), "com.acme.Foo|bar||123");
  EXPECT_EQ(parts("com/acme/Foo.bar(ILjava/lang/String;)V_[j]"),
            "com.acme.Foo|bar|(ILjava/lang/String;)V|-1");
}

TEST(FrameName, HasTheLineItWasAt) {
  EXPECT_EQ(parts("com.acme.Foo.bar:123"), "com.acme.Foo|bar||123");
  EXPECT_EQ(parts("com.acme.Foo.bar(Foo.java:123)"), "com.acme.Foo|bar||123");
  EXPECT_EQ(parts("com.acme.Foo.bar(I)[J:7"), "com.acme.Foo|bar|(I)[J|7");
  EXPECT_EQ(parts("com.acme.Foo.bar(Native Method)"), "com.acme.Foo|bar||-1");
  EXPECT_EQ(parts("com.acme.Foo.bar:99999999999"), "com.acme.Foo|bar:99999999999||-1");
}

TEST(FrameName, HasTypesAsJavaSourceSpellsThem) {
  EXPECT_EQ(parts("long com.acme.Foo.bar(int, java.lang.String)"),
            "com.acme.Foo|bar|(ILjava/lang/String;)|-1");
  EXPECT_EQ(parts("com.acme.Foo.bar(int,Row[][]):12"), "com.acme.Foo|bar|(I[[LRow;)|12");
  EXPECT_EQ(parts("com.acme.Foo.bar(): Key[]:12"), "com.acme.Foo|bar|()[LKey;|12");
  EXPECT_EQ(parts("com.acme.Foo.bar(): void"), "com.acme.Foo|bar|()V|-1");
  for (const char* no_types :
       {"(int", "(Foo.java)", "(Unknown Source)", "(Object...)", "(List<Row>)", "(int,)"}) {
    EXPECT_EQ(parts(std::string("com.acme.Foo.bar") + no_types), "com.acme.Foo|bar||-1")
        << no_types;
  }
}

TEST(FrameName, IsOfTheMethodsWhoseTypesItSpells) {
  for (const char* spelled : {"", "(ILa/Row;)", "(ILRow;)", "(ILRow;)V", "(ILa/Row;)V"}) {
    EXPECT_TRUE(may_be_spelled("(ILa/Row;)V", spelled)) << spelled;
  }
  for (const char* other :
       {"()", "(I)", "(ILRow;I)", "(ILb/Row;)", "(ILRow;)I", "(I[LRow;)", "(ILow;)"}) {
    EXPECT_FALSE(may_be_spelled("(ILa/Row;)V", other)) << other;
  }
  EXPECT_TRUE(may_be_spelled("", "(I)")) << "the types of the method are not known";
}

TEST(FrameName, OfThreadsNativeCodeAndTheKernelIsNone) {
  for (const char* text : {"[main tid=123]", "start_thread", "JavaThread::thread_main_inner()",
                           "sys_read_[k]", "do.sys.open_[k]", "", ".", "a.", ".b", "[GC_active]"}) {
    EXPECT_EQ(parts(text), "other") << text;
  }
}

TEST(FrameName, SaysWhereTheProfilerSawNothing) {
  for (const char* text :
       {"[unknown_Java]", "[not_walkable_Java]", "[break_no_anchor]", "[truncated]"}) {
    EXPECT_EQ(parts(text), "missing") << text;
  }
}

TEST(FrameName, OfAHiddenClassIsTheSameInEveryRun) {
  for (const char* text :
       {"a/B$$Lambda$88+0x00007f1f60007c08/846947180", "a/B$$Lambda/0x000000006c045c18",
        "a.B$$Lambda$14.0x0000000800c03000", "a.B$$Lambda$14/846947180", "a/B$$Lambda$3"}) {
    EXPECT_EQ(comparable_class(text), "a.B$$Lambda") << text;
  }
  EXPECT_EQ(comparable_class("java/lang/invoke/LambdaForm$MH+0x0000000800001000/1"),
            "java.lang.invoke.LambdaForm$MH");
  EXPECT_EQ(comparable_class("a.B$$LambdaTable"), "a.B$$LambdaTable");
  EXPECT_EQ(parts("a/B$$Lambda$14.0x0000000800c03000.run_[i]"), "a.B$$Lambda|run||-1");
}

// "class|method|descriptor|line" of any frame.
std::string written(std::string_view text) {
  const TextFrame found = frame_of_text(text, FrameReading::kAll);
  EXPECT_EQ(found.kind, FrameKind::kTaken);
  return found.frame.class_name + "|" + found.frame.method + "|" + found.frame.descriptor + "|" +
         std::to_string(found.frame.line);
}

TEST(FrameName, IsKeptAsItIsSpelledForAReportOfItsOwn) {
  EXPECT_EQ(written("java/lang/String.equals_[j]"), "java.lang.String|equals||-1");
  EXPECT_EQ(written("com.acme.Foo$Bar.<init>:12"), "com.acme.Foo$Bar|<init>||12");
  EXPECT_EQ(written("com/acme/Foo.bar(ILjava/lang/String;)V_[j]"),
            "com.acme.Foo|bar|(ILjava/lang/String;)V|-1");
  EXPECT_EQ(written("long com.acme.Foo.bar(int, java.lang.String)"),
            "com.acme.Foo|bar|(ILjava/lang/String;)|-1");
  EXPECT_EQ(written("com.acme.Foo.bar(Row): a.Key:12"), "com.acme.Foo|bar|(LRow;)La/Key;|12");
  EXPECT_EQ(written("com.acme.Foo.bar(Foo.java:123)"), "com.acme.Foo|bar||123");
  EXPECT_EQ(written("a.B$$Lambda/0x000000006c045c18.run"),
            "a.B$$Lambda/0x000000006c045c18|run||-1");
  EXPECT_EQ(written("Main$$Lambda/0x01.run"), "Main$$Lambda/0x01|run||-1");
  EXPECT_EQ(written("a.Tests.adds two (small) numbers"), "a.Tests|adds two (small) numbers||-1");
  EXPECT_EQ(written("(evicted).contexts"), "(evicted)|contexts||-1");
}

TEST(FrameName, OfNoMethodIsTheWholeText) {
  for (const char* text :
       {"[main tid=123]", "start_thread", "JavaThread::thread_main_inner()", "sys_read_[k]", ".",
        "a.", ".b", "(no recorded caller)", "new byte[]", "synchronized demo.Store.class",
        "throw demo.Missing at demo.Store.find:31", "net/http.(*conn).serve", "[unknown_Java]",
        "park java.util.concurrent.locks.ReentrantLock$NonfairSync"}) {
    EXPECT_EQ(written(text), "|" + std::string(text) + "||-1");
  }
}

TEST(FrameName, OfNothingSaysSo) {
  EXPECT_EQ(written(""), "|" + std::string(kUnnamedFrame) + "||-1");
  EXPECT_EQ(written(kUnnamedFrame), "|" + std::string(kUnnamedFrame) + "||-1");
}

TEST(FrameName, MayHaveBlanks) {
  EXPECT_EQ(parts("a.Tests.sum of 2"), "a.Tests|sum of 2||-1");
  EXPECT_EQ(parts("a.Tests.sum of 2:17"), "a.Tests|sum of 2||17");
}

}  // namespace
}  // namespace copse::join
