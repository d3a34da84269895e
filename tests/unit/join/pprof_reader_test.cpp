#include "join/pprof_reader.h"

#include <gtest/gtest.h>

#include <protozero/pbf_writer.hpp>

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
                        std::initializer_list<std::pair<std::uint64_t, std::int64_t>> lines) {
    pbf_writer message(profile_, 4);
    message.add_uint64(1, id);
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

std::string trouble(const std::string& text) {
  const Result<SampledStacks> stacks = samples_of(text);
  return stacks.ok() ? "" : stacks.message();
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
  EXPECT_EQ(samples_of(usual().text())->value_named("wall").message(),
            "--value wall: the samples have no such value, but samples, cpu");
}

TEST(PprofReader, SkipsFieldsOfAnotherTypeThanTheirs) {
  const auto stacks = samples_of(usual().sample({10}, {1, 10}).text() + "\x08\x01\x10\x07\x70\x01");
  ASSERT_TRUE(stacks.ok()) << stacks.message();
  EXPECT_EQ(lines_of(*stacks, 0), (Lines{"a.B.main 1"}));
}

TEST(PprofReader, SaysWhatIsWrong) {
  EXPECT_EQ(trouble(usual().sample({10}, {1}).text()),
            "samples: a sample has 1 values, and there are 2 types of them");
  EXPECT_EQ(trouble(usual().sample({99}, {1, 1}).text()), "samples: has no location 99");
  EXPECT_EQ(trouble(usual().location(30, {{9, 1}}).sample({30}, {1, 1}).text()),
            "samples: has no function 9");
  EXPECT_EQ(trouble(usual().sample({10}, {1, -1}).text()),
            "samples: has values below 0: it is the difference of two profiles");
  EXPECT_EQ(trouble(usual().type(77, 2).text()), "samples: names text 77 of 8");
  EXPECT_EQ(trouble(usual().sample({10}, {1, std::int64_t{1} << 60}).text()),
            "samples: a value does not fit 64 bits");
  EXPECT_EQ(trouble(ProfileText().text()),
            "samples: is no profile of pprof: it has no sample_type");
  const std::string whole = usual().sample({10}, {1, 1}).text();
  EXPECT_NE(trouble(whole.substr(0, whole.size() - 1)).find("damaged, or no profile of pprof"),
            std::string::npos);
}

}  // namespace
}  // namespace copse::join
