#include "agent/glob_hint.h"

#include <gtest/gtest.h>

#include <map>

namespace copse::agent {
namespace {

const std::vector<LoadedClass> kClasses = {
    {"java.lang.String", true},   {"java.util.ArrayList", true},    {"com.acme.Main", false},
    {"com.acme.db.Query", false}, {"com.acme.db.Query$Row", false}, {"org.other.deep.Tool", false},
};
const std::map<std::string, std::vector<std::string>> kMethods = {
    {"java.util.ArrayList", {"add", "get"}},
    {"com.acme.Main", {"main", "run"}},
    {"com.acme.db.Query", {"execute", "executeAll", "abstractOne"}},
    {"com.acme.db.Query$Row", {"next"}},
    {"org.other.deep.Tool", {"work"}},
};

std::string hint(std::string_view key, std::string_view glob, AgentOptions options = {},
                 Spelling spelling = Spelling::kCommandLine) {
  if (key == "mark") {
    IdOptions ids;
    ids.marks.emplace_back(glob);
    options.mode = std::move(ids);
  } else {
    (key == "include" ? options.include : options.exclude).emplace_back(glob);
  }
  const LoadedNames loaded{kClasses, [](std::size_t index) {
                             const auto found = kMethods.find(kClasses[index].name);
                             return found == kMethods.end() ? std::vector<std::string>()
                                                            : found->second;
                           }};
  return hint_for({key, glob}, options, spelling, loaded);
}

struct Case {
  const char* typed;
  const char* meant;
};

TEST(GlobHint, SaysWhatWouldHaveMatched) {
  for (const auto& [typed, meant] : {
           Case{"com/acme/Main", "com.acme.Main"},
           Case{"com/acme/**", "'com.acme.**'"},
           Case{"com/acme/db/Query.class", "com.acme.db.Query"},
           Case{"com.acme", "'com.acme.**'"},
           Case{"com.acme.", "'com.acme.**'"},
           Case{"org.other.*", "'org.other.**'"},
           Case{"com.acme.main", "com.acme.Main"},
           Case{"com.ACME.**", "'com.acme.**'"},
           Case{"Qeury", "Query"},
           Case{"Qeury.execute", "Query.execute"},
           Case{"db.Query", "'**.db.Query'"},
           Case{"com.acme.db.Query.Row", "'com.acme.db.Query$Row'"},
           Case{"com.acme.db.Query.Row.next", "'com.acme.db.Query$Row.next'"},
           Case{"com.acme.db.Query#execute", "com.acme.db.Query.execute"},
           Case{"com.acme.db.Query::execute", "com.acme.db.Query.execute"},
           Case{"com.acme.db.Query.execute(int)", "com.acme.db.Query.execute"},
           Case{"com.acme.db.Qeury", "com.acme.db.Query"},
           Case{"com.amce.**", "'com.acme.**'"},
           Case{"com.amce.Main.**", "com.acme.Main"},
           Case{"com.amce.*", "'com.acme.*'"},
       }) {
    EXPECT_EQ(hint("include", typed).substr(hint("include", typed).find(": ")),
              std::string(": matched nothing; did you mean --include ") + meant + "?")
        << typed;
  }
}

TEST(GlobHint, NamesTheOptionAsItWasWritten) {
  EXPECT_EQ(hint("include", "com.acme"),
            "--include com.acme: matched nothing; did you mean --include "
            "'com.acme.**'?");
  EXPECT_EQ(hint("mark", "db.Query.execute", {}, Spelling::kAgent),
            "option mark=db.Query.execute: matched no method; did you mean "
            "mark=**.db.Query.execute?");
  EXPECT_EQ(hint("exclude", "com/acme/**"),
            "--exclude 'com/acme/**': left nothing out; did you mean --exclude 'com.acme.**'?");
}

TEST(GlobHint, KnowsTheMethodsOfAClass) {
  EXPECT_EQ(hint("mark", "com.acme.db.Query.exceute"),
            "--mark com.acme.db.Query.exceute: matched no method; com.acme.db.Query "
            "has no method exceute; did you mean --mark com.acme.db.Query.execute?");
  EXPECT_EQ(hint("mark", "com.acme.db.Query.zzz"),
            "--mark com.acme.db.Query.zzz: matched no method; com.acme.db.Query has "
            "no method zzz");
  // It is there, but no probe ever stood in it.
  EXPECT_EQ(hint("mark", "com.acme.db.Query.abstractOne"),
            "--mark com.acme.db.Query.abstractOne: matched no method; "
            "com.acme.db.Query.abstractOne has no code of its own that could be recorded");
}

TEST(GlobHint, SaysWhatKeepsFromBeingRecordedWhatIsThere) {
  EXPECT_EQ(hint("include", "java.util.**"),
            "--include 'java.util.**': matched nothing; java.util.ArrayList is the "
            "JDK's own, which is recorded with --jdk");
  EXPECT_EQ(hint("mark", "java.util.ArrayList.add"),
            "--mark java.util.ArrayList.add: matched no method; "
            "java.util.ArrayList.add is the JDK's own, which is recorded with --jdk");
  AgentOptions others;
  others.exclude = {"com.**"};
  EXPECT_EQ(hint("include", "com.acme.Main", others),
            "--include com.acme.Main: matched nothing; com.acme.Main is left out by "
            "the other globs");
  AgentOptions filtered;
  filtered.include = {"com.acme.Main"};
  EXPECT_EQ(hint("mark", "com.acme.db.Query.execute", filtered),
            "--mark com.acme.db.Query.execute: matched no method; "
            "com.acme.db.Query.execute is left out by the other globs");
}

TEST(GlobHint, SaysNothingMoreWhereNothingIsNear) {
  EXPECT_EQ(hint("include", "net.elsewhere.**"), "--include 'net.elsewhere.**': matched nothing");
  EXPECT_EQ(hint("include", "com.amce.*Nix"), "--include 'com.amce.*Nix': matched nothing");
  EXPECT_EQ(hint("include", ""), "--include '': matched nothing");
  EXPECT_EQ(hint("include", "..."), "--include ...: matched nothing");
  EXPECT_EQ(hint("include", "("), "--include '(': matched nothing");
}

}  // namespace
}  // namespace copse::agent
