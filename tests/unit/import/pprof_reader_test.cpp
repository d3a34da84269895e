#include "import/samples_reader.h"

#include <gtest/gtest.h>

#include <limits>
#include <protozero/pbf_writer.hpp>

#include "support/expect_fault.h"
#include "support/text_samples.h"

namespace copse::join {
namespace {

using Lines = std::vector<std::string>;
using protozero::pbf_writer;
using testing::lines_of;
using testing::samples_of;

// Numbers of fields as in profile.proto; texts are 0 "", 1 "samples", 2 "count", 3 "cpu",
// 4 "microseconds", 5 "a.B.main", 6 "a/B.run", 7 "a.B.inlined".
class ProfileText {
 public:
  ProfileText() {
    for (const char* text :
         {"", "samples", "count", "cpu", "microseconds", "a.B.main", "a/B.run", "a.B.inlined"}) {
      profile_.add_string(6, text);
    }
  }
  ProfileText& type(std::int64_t type, std::int64_t unit) {
    pbf_writer message(profile_, 1);
    message.add_int64(1, type);
    message.add_int64(2, unit);
    return *this;
  }
  ProfileText& function(std::uint64_t id, std::int64_t name) {
    pbf_writer message(profile_, 5);
    message.add_uint64(1, id);
    message.add_int64(2, name);
    return *this;
  }
  // `lines`: function and line, innermost first.
  ProfileText& location(std::uint64_t id,
                        std::initializer_list<std::pair<std::uint64_t, std::int64_t>> lines,
                        std::uint64_t address = 0) {
    pbf_writer message(profile_, 4);
    message.add_uint64(1, id);
    if (address != 0) {
      message.add_uint64(2, 7);  // a mapping, which the profile does not have
      message.add_uint64(3, address);
    }
    for (const auto& [function, line] : lines) {
      pbf_writer at(message, 4);
      at.add_uint64(1, function);
      at.add_int64(2, line);
    }
    return *this;
  }
  // Innermost location first.
  ProfileText& sample(std::vector<std::uint64_t> locations, std::vector<std::int64_t> values) {
    pbf_writer message(profile_, 2);
    message.add_packed_uint64(1, locations.begin(), locations.end());
    message.add_packed_int64(2, values.begin(), values.end());
    return *this;
  }
  ProfileText& shows(std::int64_t type) {
    profile_.add_int64(14, type);
    return *this;
  }
  ProfileText& comment(std::int64_t text) {
    profile_.add_int64(13, text);
    return *this;
  }
  ProfileText& labelled_sample(std::vector<std::uint64_t> locations,
                               std::vector<std::int64_t> values, std::int64_t key,
                               std::int64_t value) {
    pbf_writer message(profile_, 2);
    message.add_packed_uint64(1, locations.begin(), locations.end());
    message.add_packed_int64(2, values.begin(), values.end());
    pbf_writer label(message, 3);
    label.add_int64(1, key);
    label.add_int64(2, value);
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  pbf_writer profile_{text_};
};

ProfileText usual() {
  ProfileText profile;
  profile.type(1, 2).type(3, 4).function(1, 5).function(2, 6).function(3, 7);
  profile.location(10, {{1, 12}}).location(20, {{3, 4}, {2, 21}});
  return profile;
}

TEST(PprofReader, ReadsEveryValueOfASampleInItsUnit) {
  const auto stacks = samples_of(usual().sample({20, 10}, {3, 30}).sample({10}, {1, 10}).text());
  ASSERT_TRUE(stacks.ok()) << stacks.message();
  EXPECT_EQ(lines_of(*stacks, 0), (Lines{"a.B.main:12;a.B.run:21;a.B.inlined 3", "a.B.main 1"}));
  EXPECT_EQ(lines_of(*stacks, 1),
            (Lines{"a.B.main:12;a.B.run:21;a.B.inlined 30000", "a.B.main 10000"}));
  EXPECT_EQ(stacks->values()[0].unit, "samples");
  EXPECT_EQ(stacks->values()[1].unit, "ns");
  EXPECT_EQ(stacks->values()[1].stem, "cpu");
}

TEST(PprofReader, SaysOfHowManySamplesAValueIs) {
  const auto stacks = samples_of(usual().sample({20, 10}, {3, 30}).sample({10}, {1, 10}).text());
  ASSERT_TRUE(stacks.ok()) << stacks.message();
  EXPECT_FALSE(stacks->has_samples(0)) << "they are samples themselves";
  ASSERT_TRUE(stacks->has_samples(1));
  for (std::uint32_t node = 0; node < stacks->nodes().size(); ++node) {
    EXPECT_EQ(10'000 * stacks->samples(node, 1), stacks->amount(node, 1));
  }
}

TEST(PprofReader, ShowsTheLastValueOrTheOneThatTheProfileSays) {
  EXPECT_EQ(samples_of(usual().text())->shown, 1u);
  EXPECT_EQ(samples_of(usual().shows(1).text())->shown, 0u);
  EXPECT_EQ(samples_of(usual().text())->value_named("samples").value(), 0u);
  EXPECT_FAULT(samples_of(usual().text())->value_named("wall"), kNotFound,
               "--value wall: ", "samples, cpu");
}

TEST(PprofReader, SkipsFieldsOfAnotherTypeThanTheirs) {
  const auto stacks = samples_of(usual().sample({10}, {1, 10}).text() + "\x08\x01\x10\x07\x70\x01");
  ASSERT_TRUE(stacks.ok()) << stacks.message();
  EXPECT_EQ(lines_of(*stacks, 0), (Lines{"a.B.main 1"}));
}

TEST(PprofReader, SaysWhatIsWrong) {
  EXPECT_FAULT(samples_of(usual().sample({10}, {1}).text()), kMalformed, "1 values", "2 types");
  EXPECT_FAULT(samples_of(usual().sample({10}, {1, -1}).text()), kMalformed, "below 0");
  EXPECT_FAULT(samples_of(usual().sample({10}, {1, std::int64_t{1} << 60}).text()), kMalformed,
               "64 bits");
  EXPECT_FAULT(samples_of(ProfileText().text()), kMalformed, "sample_type");
  const std::string whole = usual().sample({10}, {1, 1}).text();
  const auto damaged = samples_of(whole.substr(0, whole.size() - 1));
  EXPECT_FAULT(damaged, kMalformed, "pprof");
  EXPECT_EQ(damaged.message().find("exception"), std::string::npos) << "words of a library";
}

SampledStacks profile_of(ProfileText& profile) {
  Result<SampledStacks> stacks = samples_of(profile.text(), {}, FrameReading::kAll);
  EXPECT_TRUE(stacks.ok()) << stacks.message();
  return stacks.ok() ? std::move(stacks).value() : SampledStacks(FrameReading::kAll);
}

// Numbers that the notes have.
std::string lacking_in(const SampledStacks& stacks) {
  std::string notes;
  for (const std::string& note : stacks.origin.notes) notes += note + "\n";
  return notes;
}

TEST(PprofReader, KeepsFramesWhoseFunctionOrLocationIsNotThere) {
  ProfileText profile = usual();
  profile.location(30, {{9, 1}}, 0x1234)
      .location(40, {{8, 1}, {1, 3}, {0, 0}})
      .sample({30, 10}, {1, 1})
      .sample({40, 10}, {2, 2})
      .sample({99, 10}, {4, 4})
      .sample({20, 98, 10}, {8, 8})
      .sample({0}, {16, 16})
      .sample({30, 10}, {32, 32})
      .sample({20, 10}, {64, 64});
  const SampledStacks stacks = profile_of(profile);
  EXPECT_EQ(lines_of(stacks, 0),
            (Lines{"a.B.main:12;.0x1234 33",
                   "a.B.main:12;.(unknown function 0);a.B.main:3;.(unknown function 8) 2",
                   "a.B.main:12;.(unknown location 99) 4",
                   "a.B.main:12;.(unknown location 98);a.B.run:21;a.B.inlined 8",
                   ".(unknown location 0) 16", "a.B.main:12;a.B.run:21;a.B.inlined 64"}));
  const std::string notes = lacking_in(stacks);
  EXPECT_NE(notes.find("3 functions"), std::string::npos) << notes;
  EXPECT_NE(notes.find("3 locations"), std::string::npos) << notes;
  EXPECT_NE(notes.find("6 stacks"), std::string::npos) << notes;
  ProfileText whole = usual();
  EXPECT_EQ(lacking_in(profile_of(whole.sample({20, 10}, {1, 1}))), "");
}

// They lead from the same callers as ever.
TEST(PprofReader, LeavesFramesThatHaveNoNameOutWhereTheyAreCompared) {
  const auto stacks = samples_of(usual()
                                     .location(30, {{9, 1}}, 0x1234)
                                     .sample({30, 10}, {1, 1})
                                     .sample({20, 98, 10}, {8, 8})
                                     .sample({99}, {2, 2})
                                     .text());
  ASSERT_TRUE(stacks.ok()) << stacks.message();
  EXPECT_EQ(lines_of(*stacks, 0),
            (Lines{" 2", "a.B.main 1", "a.B.main:12;a.B.run:21;a.B.inlined 8"}));
  EXPECT_NE(lacking_in(*stacks).find("3 stacks"), std::string::npos) << lacking_in(*stacks);
}

TEST(PprofReader, TakesTextsThatAreNotThereForNone) {
  for (const std::int64_t none :
       {std::int64_t{8}, std::int64_t{77}, std::int64_t{-1},
        std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()}) {
    const SampledStacks stacks = profile_of(usual()
                                                .function(4, none)
                                                .location(30, {{4, 1}}, 0xab)
                                                .location(40, {{4, 1}})
                                                .comment(none)
                                                .shows(none)
                                                .sample({30, 10}, {1, 1})
                                                .sample({40, 10}, {2, 2})
                                                .labelled_sample({20, 10}, {4, 4}, none, none));
    EXPECT_EQ(lines_of(stacks, 0),
              (Lines{"a.B.main:12;.0xab 1", "a.B.main:12;.(unknown function 4) 2",
                     "a.B.main:12;a.B.run:21;a.B.inlined 4"}))
        << none;
    EXPECT_EQ(stacks.shown, 1u);
    EXPECT_TRUE(stacks.origin.comments.empty());
    EXPECT_NE(lacking_in(stacks).find("1 text"), std::string::npos) << lacking_in(stacks);
    EXPECT_NE(lacking_in(stacks).find("2 stacks"), std::string::npos) << lacking_in(stacks);
  }
}

TEST(PprofReader, NumbersValuesWhoseNameIsNotThere) {
  ProfileText profile = usual();
  profile.type(77, 78).sample({10}, {1, 2, 3});
  const SampledStacks stacks = profile_of(profile);
  ASSERT_EQ(stacks.values().size(), 3u);
  EXPECT_EQ(stacks.values()[2].name, "value 3");
  EXPECT_EQ(stacks.values()[2].unit, "samples");
  EXPECT_EQ(stacks.values()[2].total, 3u);
  EXPECT_NE(lacking_in(stacks).find("2 texts"), std::string::npos) << lacking_in(stacks);
}

// Those of code that has no symbols are so.
TEST(PprofReader, CallsFunctionsWithoutANameByTheirAddress) {
  const SampledStacks stacks = profile_of(usual()
                                              .function(4, 0)
                                              .location(30, {{4, 1}}, 0xab)
                                              .location(40, {{4, 1}})
                                              .sample({30, 10}, {1, 1})
                                              .sample({40, 10}, {2, 2}));
  EXPECT_EQ(lines_of(stacks, 0), (Lines{"a.B.main:12;.0xab 1", "a.B.main:12;.(unnamed) 2"}));
  EXPECT_EQ(lacking_in(stacks), "");
}

}  // namespace
}  // namespace copse::join
