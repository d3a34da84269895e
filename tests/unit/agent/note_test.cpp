#include "agent/line/note.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "agent/line/figure_notes.h"

namespace copse::agent {
namespace {

struct Line {
  Note note;
  std::string line;
};

// One of each kind.
std::vector<Line> lines() {
  using File = FileNote::Kind;
  using Path = PathNote::Kind;
  using Text = TextNote::Kind;
  return {
      {FileNote{File::kReport, "/r/a b.json", 3, 2, 1, "com.acme.Main", 19},
       "report\t/r/a b.json\t3\t2\t1\tcom.acme.Main\t19"},
      {FileNote{File::kIds, "a.json", 0, 0, 0, "m"}, "ids\ta.json\t0\t0\t0\tm\t0"},
      {FileNote{File::kTrace, "a.trace", 18446744073709551615u, 7, 0, "m"},
       "trace\ta.trace\t18446744073709551615\t7\t0\tm\t0"},
      {FileNote{File::kEvents, "a.events", 5, 6, 7, "m"}, "events\ta.events\t5\t6\t7\tm\t0"},
      {FileNote{File::kKilled, "a.json", 5, 6, 7, ""}, "killed\ta.json\t5\t6\t7\t\t0"},
      {FileNote{File::kKilledIds, "a.json", 5, 6, 7, ""}, "killed-ids\ta.json\t5\t6\t7\t\t0"},
      {CheckNote{"a.json", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
       "validated\ta.json\t1\t2\t3\t4\t5\t6\t7\t8\t9\t10\t11"},
      {StackNote{"a.json", "deltapath", 10, 30, 7, 1, 2, 1},
       "stack\ta.json\tdeltapath\t10\t30\t7\t1\t2\t1"},
      {FactNote{"a.json", "max_id", 12}, "fact\ta.json\tmax_id\t12"},
      {EpochNote{"a.json", "new edges", 64, 5, 900}, "epoch\ta.json\tnew edges\t64\t5\t900"},
      {PathNote{Path::kSnapshot, "a.json"}, "snapshot\ta.json"},
      {PathNote{Path::kAppending, "a.events"}, "appending\ta.events"},
      {ClaimNote{"a.json", 42}, "claim\ta.json\t42"},
      {AttachedNote{"a.json", 400, 1, 20}, "attached\ta.json\t400\t1\t20"},
      {RestoredNote{400, 0}, "restored\t400\t0"},
      {UnmatchedNote{"include=a.*", "matched nothing"}, "unmatched\tinclude=a.*\tmatched nothing"},
      {UnwrittenNote{"/o/r.json", "/o/r.json: full", "/dev/shm/1.memory"},
       "unwritten\t/o/r.json\t/o/r.json: full\t/dev/shm/1.memory"},
      {TextNote{Text::kFailed, "a: b"}, "failed\ta: b"},
      {TextNote{Text::kWarning, "a: b"}, "warning\ta: b"},
      {TextNote{Text::kEmpty, "nothing"}, "empty\tnothing"},
      {TextNote{Text::kWrong, "an id"}, "wrong\tan id"},
      {TextNote{Text::kUnkept, "/dev/shm: full"}, "unkept\t/dev/shm: full"},
      {TextNote{Text::kAlive, ""}, "alive\t"},
  };
}

TEST(Note, IsReadAsItWasWritten) {
  for (const auto& [note, line] : lines()) {
    EXPECT_EQ(note_line(note), line);
    EXPECT_EQ(read_note(line), note) << line;
  }
}

TEST(Note, WithAFieldMoreOrLessIsNone) {
  for (const auto& [note, line] : lines()) {
    EXPECT_EQ(read_note(line + "\tx"), std::nullopt) << line;
    EXPECT_EQ(read_note(line.substr(0, line.rfind('\t'))), std::nullopt) << line;
  }
}

TEST(Note, OfAnUnknownKindOrWithoutANumberWhereOneBelongsIsNone) {
  for (const char* line :
       {"", "\t", "locked", "claim\ta.json\t", "claim\ta.json\t-1", "claim\ta.json\t42x",
        "claim\ta.json\t18446744073709551616", "reports\ta.json\t0\t0\t0\tm"}) {
    EXPECT_EQ(read_note(line), std::nullopt) << line;
  }
}

TEST(Note, IsOneLineWhateverItsTextHas) {
  const std::string line = note_line(TextNote{TextNote::Kind::kFailed, "a\tb\nc\rd"});
  EXPECT_EQ(line, "failed\ta b c d");
  EXPECT_EQ(read_note(line), Note(TextNote{TextNote::Kind::kFailed, "a b c d"}));
}

TEST(Note, TheFirstOfAKindIsFound) {
  const std::vector<Note> notes = {TextNote{TextNote::Kind::kWarning, "w"}, RestoredNote{1, 0},
                                   RestoredNote{2, 0}, TextNote{TextNote::Kind::kFailed, "f"}};
  ASSERT_NE(first_of<RestoredNote>(notes), nullptr);
  EXPECT_EQ(first_of<RestoredNote>(notes)->classes, 1u);
  EXPECT_EQ(first_of<AttachedNote>(notes), nullptr);
  ASSERT_NE(first_text(notes, TextNote::Kind::kFailed), nullptr);
  EXPECT_EQ(*first_text(notes, TextNote::Kind::kFailed), "f");
  EXPECT_EQ(first_text(notes, TextNote::Kind::kAlive), nullptr);
}

TEST(Note, ChecksOfSeveralJvmsAreSummedFieldByField) {
  CheckedIds sum{1, 2, 3, 4, 5, 6, 7, 8};
  sum += {10, 20, 30, 40, 50, 60, 70, 80};
  EXPECT_EQ(sum, (CheckedIds{11, 22, 33, 44, 55, 66, 77, 88}));
}

TEST(Note, AFileSaysWhatItHasSoManyOf) {
  const auto contents = [](FileNote::Kind kind, std::uint64_t count, std::uint64_t size) {
    return contents_of(
        {.kind = kind, .path = "", .count = count, .size = size, .lost = 2, .program = ""});
  };
  EXPECT_EQ(contents(FileNote::Kind::kReport, 3018, 8), "3,018 calls in 8 contexts, 2 lost");
  EXPECT_EQ(contents(FileNote::Kind::kKilled, 1, 1), "1 call in 1 context, 2 lost");
  EXPECT_EQ(contents(FileNote::Kind::kIds, 1, 0), "1 event in 0 contexts, 2 lost");
  EXPECT_EQ(contents(FileNote::Kind::kEvents, 0, 4096), "0 events in 4,096 bytes, 2 lost");
  EXPECT_EQ(contents(FileNote::Kind::kTrace, 5, 1), "5 calls in 1 byte, 2 lost");
}

// Notes of JVMs that end at the same time stand between each other.
TEST(FigureNotes, OfSeveralJvmsAreToldApartByTheirReports) {
  const EncoderFigures stacked{
      "deltapath", 10, StackFigures{30, 7, true, 2, 1}, {{{"nodes", 4}, {"edges", 5}}, {}}};
  const EncoderFigures renumbered{
      "dacce", 0, std::nullopt, {{}, {{"start", 0, 0, 100}, {"new edges", 64, 5, 900}}}};
  std::vector<Note> notes = notes_of("a.json", stacked);
  const std::vector<Note> others = notes_of("b.json", renumbered);
  notes.insert(notes.begin() + 1, others.begin(), others.end());
  notes.push_back(FactNote{"c.json", "nodes", 3});  // of a JVM that left no figures
  const std::vector<EncoderFigures> read = figures_in(notes);
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].name, "deltapath");
  EXPECT_EQ(read[0].tokens, 10u);
  ASSERT_TRUE(read[0].stack);
  EXPECT_EQ(read[0].stack->entries, 30u);
  EXPECT_EQ(read[0].stack->most_entries, 7u);
  EXPECT_TRUE(read[0].stack->has_unexpected);
  ASSERT_EQ(read[0].facts.values.size(), 2u);
  EXPECT_EQ(read[0].facts.values[1].name, "edges");
  EXPECT_EQ(read[0].facts.values[1].value, 5u);
  EXPECT_EQ(read[1].name, "dacce");
  EXPECT_FALSE(read[1].stack);
  ASSERT_EQ(read[1].facts.epochs.size(), 2u);
  EXPECT_EQ(read[1].facts.epochs[1].trigger, "new edges");
  EXPECT_EQ(read[1].facts.epochs[1].max_id, 5u);
  EXPECT_EQ(read[1].facts.epochs[1].ns, 900u);
}

}  // namespace
}  // namespace copse::agent
