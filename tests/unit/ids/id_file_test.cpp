#include "encoders/ids/id_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "encoders/numbering/segment.h"
#include "support/expect_fault.h"

namespace copse::ids {
namespace {

constexpr RunKey kKey(0x1234'5678);

// main -> work -> work, the second work in a piece of its own.
struct Sample {
  Sample() {
    const auto main = numbering.mapping(entry_edge(MethodId{1}), 0);
    main_code = (*main)(0);
    const auto work = edge_key({MethodId{1}, SiteOrdinal{1}}, MethodId{2});
    work_code = (*numbering.mapping(work, main_code))(main_code);
    pieces.add({edge_key({MethodId{2}, SiteOrdinal{3}}, MethodId{2}), work_code});
  }
  std::vector<std::uint8_t> bytes() const {
    std::vector<MethodName> names(3);
    names[1].name = "main";
    names[2].name = "work";
    return id_file(kKey, numbering, pieces, names).file();
  }

  encoders::SegmentNumbering numbering;
  encoders::IdPieceList pieces;
  std::uint64_t main_code = 0;
  std::uint64_t work_code = 0;
};

Result<IdFile> load(std::vector<std::uint8_t> bytes) {
  return read_id_file(wire::bytes_in_memory("x.ids", std::move(bytes)));
}

Result<CallPath> decode(const IdFile& file, std::uint64_t piece, std::uint64_t code,
                        unsigned method) {
  return file.decode(
      kKey.hide(encoders::context_id(piece * encoders::kMostIdCodes + code, MethodId{method})));
}

TEST(IdFile, DecodesWhatItWasWrittenFor) {
  const Sample sample;
  const Result<IdFile> file = load(sample.bytes());
  ASSERT_TRUE(file.ok()) << file.message();
  EXPECT_EQ(file->numbering->name(), "segment");
  EXPECT_EQ(file->methods[2].name, "work");
  EXPECT_EQ(to_string(*decode(*file, 0, sample.main_code, 1)), "1");
  EXPECT_EQ(to_string(*decode(*file, 0, sample.work_code, 2)), "1 1:1>2");
  EXPECT_EQ(to_string(*decode(*file, 1, 0, 2)), "1 1:1>2 2:3>2");
}

TEST(IdFile, HasTheContextsInWhichThreadsWereStarted) {
  const Sample sample;
  const std::uint64_t work = encoders::context_id(sample.work_code, MethodId{2});
  ThreadOrigins threads;
  threads.add({12, 1, work, SiteOrdinal{4}});
  threads.add({13, 12, 0, kNoSite});
  wire::SectionWriter written = id_file_without_names(kKey, sample.numbering, sample.pieces);
  add_threads(threads, written);
  add_names(std::vector<MethodName>(3), written);
  const Result<IdFile> file = load(written.file());
  ASSERT_TRUE(file.ok()) << file.message();
  const std::vector<ThreadOrigin> starts = file->threads.leading_to(13);
  ASSERT_EQ(starts.size(), 2u);
  EXPECT_EQ(to_string(*file->decode(starts[0])), "1 1:1>2");
  EXPECT_EQ(starts[0].site, SiteOrdinal{4});
  EXPECT_TRUE(file->decode(starts[1])->empty());
  EXPECT_EQ(load(sample.bytes())->threads.count(), 0u);
}

TEST(IdFile, HasTheThreadsOnceAndInTheirPlace) {
  const Sample sample;
  ThreadOrigins threads;
  threads.add({12, 1, 0, kNoSite});
  wire::SectionWriter twice = id_file_without_names(kKey, sample.numbering, sample.pieces);
  add_threads(threads, twice);
  add_threads(threads, twice);
  EXPECT_FAULT(load(twice.file()), kMalformed, "a section out of place");
  wire::SectionWriter first(kIdFileHeader);
  add_threads(threads, first);
  EXPECT_FAULT(load(first.file()), kMalformed, "a section out of place");
}

TEST(IdFile, RefusesNumbersThatNoContextHas) {
  const Sample sample;
  const Result<IdFile> file = load(sample.bytes());
  ASSERT_TRUE(file.ok());
  EXPECT_FAULT(decode(*file, 0, 5000, 1), kNotFound) << "a code not given out";
  EXPECT_FAULT(decode(*file, 0, 0, 1), kNotFound) << "no piece starts there";
  EXPECT_FAULT(decode(*file, 2, 0, 2), kNotFound) << "there is no such piece";
  EXPECT_FAULT(decode(*file, 1, 0, 1), kNotFound) << "the piece starts with another method";
  EXPECT_FAULT(decode(*file, 1, sample.main_code, 1), kNotFound) << "leads to ROOT in mid-context";
  EXPECT_FAULT(decode(*file, 0, 1, 99), kNotFound) << "there is no such method";
}

TEST(IdFile, SaysWhereItIsDamaged) {
  const std::vector<std::uint8_t> whole = Sample().bytes();
  EXPECT_FAULT(load({}), kMalformed, "x.ids: at byte 0: ");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::vector<std::uint8_t> cut(whole.begin(),
                                        whole.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FAULT(load(cut), kMalformed, "x.ids: at byte ") << size;
  }
  std::mt19937_64 random(11);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::vector<std::uint8_t> damaged = whole;
    damaged[at] = static_cast<std::uint8_t>(damaged[at] + 1 + random() % 255);
    EXPECT_FALSE(load(damaged).ok()) << "byte " << at;
  }
  std::vector<std::uint8_t> longer = whole;
  longer.push_back(0);
  EXPECT_FAULT(load(longer), kMalformed, "x.ids: at byte " + std::to_string(whole.size()) + ": ");
}

TEST(IdFile, OfAnOlderCopseIsToldByItsVersion) {
  const std::string old = "copse.ids/1\nSCHM and so on";
  EXPECT_FAULT(load({old.begin(), old.end()}), kMalformed, "x.ids: at byte 0: ", "copse.ids/2");
}

TEST(IdFile, HasItsSectionsInOneOrder) {
  wire::SectionWriter file(kIdFileHeader);
  file.add(static_cast<std::uint8_t>(IdSection::kPieces), {});
  file.add(static_cast<std::uint8_t>(IdSection::kEnd), {});
  EXPECT_FAULT(load(file.file()), kMalformed, "x.ids: at byte 26: ");
}

TEST(IdFile, SaysWhichFileCannotBeRead) {
  EXPECT_FAULT(read_id_file("/none/x.ids"), kSystem, "/none/x.ids: No such file");
}

TEST(IdPiecesState, RefusesPiecesThatHangUnderThemselvesOrLaterOnes) {
  for (const std::uint8_t up : std::vector<std::uint8_t>{0, 2}) {
    const std::vector<std::uint8_t> bytes = {1, 1, up, 0, 0, 0, 1};
    wire::StateReader in(bytes, 0);
    encoders::IdPieceList().load(in);
    EXPECT_FALSE(in.ok()) << int{up};
  }
}

}  // namespace
}  // namespace copse::ids
