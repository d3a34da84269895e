#include "compare/baseline/baseline_name.h"

#include <gtest/gtest.h>

namespace copse::baseline {
namespace {

TEST(BaselineName, IsAsJavaHasIt) {
  EXPECT_EQ(in_text({"shop.Dao", "find", "(I[Ljava/lang/String;)Lshop/Row;"}),
            "shop.Dao.find(int, java.lang.String[]): shop.Row");
  EXPECT_EQ(in_text({"shop.Dao", "<init>", "()V"}), "shop.Dao.<init>()");
  EXPECT_EQ(in_text({"", "new shop.Row", ""}), "\"new shop.Row\"");
  EXPECT_EQ(in_text({"(evicted)", "contexts", ""}), "(others)");
}

TEST(BaselineName, IsQuotedWhereItWouldReadBackAsAnother) {
  EXPECT_EQ(in_text({"A", "of (one)", "()V"}), "\"A\" \"of (one)\" \"()V\"");
  EXPECT_EQ(in_text({"A", "b\n\"\\", "()V"}), "\"A\" \"b\\0a\\22\\5c\" \"()V\"");
  EXPECT_EQ(in_text({"A", "main", "no descriptor"}), "\"A\" \"main\" \"no descriptor\"");
}

TEST(BaselineName, ReadsBack) {
  for (const BaselineName& name :
       {BaselineName{"shop.Dao", "find", "(I[[J)Lshop/Row;"}, BaselineName{"A", "of (one)", "()V"},
        BaselineName{"A", "a list takes one query", "(Z)V"}, BaselineName{"A", "b\n\"\\", "()V"},
        BaselineName{"", "[main]", ""}, BaselineName{"(evicted)", "contexts", ""},
        BaselineName{"A$*~b~0123", "lambda$b$*", "(Lx/Y$$Lambda;)[B"}, BaselineName{"A", "b", ""},
        BaselineName{"Main", "main", "([Ljava/lang/String;)V"}, BaselineName{"", "", "()V"}}) {
    EXPECT_EQ(name_in_text(in_text(name)), name) << in_text(name);
  }
}

TEST(BaselineName, IsNoOtherText) {
  for (const char* text : {"", "main", "main()", ".main()", "A.()", "A.b(int)int", "A.b(int): ",
                           "\"a", "\"a\"\"b\"", "\"a\" \"b\"", "\"a\\0\"", "\"a\\zz\""}) {
    EXPECT_EQ(name_in_text(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace copse::baseline
