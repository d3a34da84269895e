#include "base/glob_guess.h"

#include <gtest/gtest.h>

#include <utility>

namespace copse {
namespace {

const std::vector<std::vector<std::string>> kMethods = {{"main", "run"}, {"execute"}, {"next"}};

KnownNames names() {
  return {{"com.acme.Main", "com.acme.db.Query", "com.acme.db.Query$Row"},
          [](std::size_t index) { return kMethods[index]; }};
}

TEST(FoundName, IsAClassOrElseAMethod) {
  EXPECT_EQ(find_name("com.acme.**", names()).name, "com.acme.Main");
  EXPECT_EQ(find_name("com.acme.**", names()).method, "");
  const FoundName method = find_name("**.Query.ex*", names());
  EXPECT_EQ(method.class_index, 1u);
  EXPECT_EQ(method.method, "execute");
  EXPECT_EQ(method.name, "com.acme.db.Query.execute");
  EXPECT_EQ(find_name("com.acme.Nix", names()).name, "");
}

TEST(GlobGuess, IsAGlobThatMatches) {
  for (const char* typed : {"com/acme/Main.class", "com.acme", "COM.ACME.main", "Query.execute",
                            "com.acme.db.Query.Row", "com.amce.**", "com.acme.Main.mian"}) {
    const GlobGuess guess = guess_glob(typed, names());
    EXPECT_NE(guess.glob, "") << typed;
    EXPECT_NE(find_name(guess.glob, names()).name, "") << typed << " -> " << guess.glob;
  }
}

TEST(GlobGuess, HasTheCaseOrThePartOfANameThatWasMeantAndElseNothing) {
  for (const auto& [typed, meant] : {std::pair("que*", "Que*"),
                                     {"**.QUE*", "**.Que*"},
                                     {"*cme.db.**", "**cme.db.**"},
                                     {"ain*", "**ain*"},
                                     {"com.amce.**", "com.acme.**"},
                                     {"com.acme.db.Qury.**", "com.acme.db.Query"},
                                     {"query", "Query"},
                                     {"QT*", ""},
                                     {"Ma*x", ""},
                                     {"net.**", ""}}) {
    EXPECT_EQ(guess_glob(typed, names()).glob, meant) << typed;
  }
}

TEST(GlobGuess, IsAMethodOfAnyClassWhereAllAreKnown) {
  KnownNames known = names();
  EXPECT_EQ(guess_glob("exectue", known).glob, "");
  known.all_methods = {"com.acme.Main.main", "com.acme.db.Query.execute", "park java.util.Lock"};
  EXPECT_EQ(guess_glob("exec", known).glob, "Query.execute");
  EXPECT_EQ(guess_glob("exectue", known).glob, "Query.execute");
  EXPECT_EQ(guess_glob("park", known).glob, "park java.util.Lock");
}

TEST(GlobGuess, SaysWhichMethodAClassLacks) {
  EXPECT_EQ(guess_glob("com.acme.Main.zzz", names()).reason, "com.acme.Main has no method zzz");
  EXPECT_EQ(guess_glob("com.acme.Main.zzz", names()).glob, "");
}

TEST(GlobGuess, IsNothingWhereNothingIsNearOrThereIsNothing) {
  EXPECT_EQ(guess_glob("net.elsewhere.**", names()).glob, "");
  for (const char* typed : {"", ".", "(", "*", "a.b"}) {
    EXPECT_EQ(guess_glob(typed, KnownNames{}).glob, "") << typed;
  }
}

}  // namespace
}  // namespace copse
