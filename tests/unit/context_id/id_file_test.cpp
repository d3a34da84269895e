#include "encoders/ids/id_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "encoders/numbering/segment.h"

namespace copse::context_id {
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

std::string decoded(const IdFile& file, std::uint64_t piece, std::uint64_t code, unsigned method) {
  const auto path = file.decode(
      kKey.hide(encoders::context_id(piece * encoders::kMostIdCodes + code, MethodId{method})));
  return path.ok() ? to_string(*path) : path.message();
}

TEST(IdFile, DecodesWhatItWasWrittenFor) {
  const Sample sample;
  const Result<IdFile> file = load(sample.bytes());
  ASSERT_TRUE(file.ok()) << file.message();
  EXPECT_EQ(file->numbering->name(), "segment");
  EXPECT_EQ(file->methods[2].name, "work");
  EXPECT_EQ(decoded(*file, 0, sample.main_code, 1), "1");
  EXPECT_EQ(decoded(*file, 0, sample.work_code, 2), "1 1:1>2");
  EXPECT_EQ(decoded(*file, 1, 0, 2), "1 1:1>2 2:3>2");
}

TEST(IdFile, RefusesNumbersThatNoContextHas) {
  const Sample sample;
  const Result<IdFile> file = load(sample.bytes());
  ASSERT_TRUE(file.ok());
  const std::string never = "no context of this run has this id";
  EXPECT_EQ(decoded(*file, 0, 5000, 1), never) << "a code not given out";
  EXPECT_EQ(decoded(*file, 0, 0, 1), never) << "no piece starts there";
  EXPECT_EQ(decoded(*file, 2, 0, 2), never) << "there is no such piece";
  EXPECT_EQ(decoded(*file, 1, 0, 1), never) << "the piece starts with another method";
  EXPECT_EQ(decoded(*file, 1, sample.main_code, 1), never) << "leads to ROOT in mid-context";
  EXPECT_EQ(decoded(*file, 0, 1, 99), never) << "there is no such method";
}

TEST(IdFile, SaysWhereItIsDamaged) {
  const std::vector<std::uint8_t> whole = Sample().bytes();
  EXPECT_EQ(load({}).message(), "x.ids: at byte 0: not an id file");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::vector<std::uint8_t> cut(whole.begin(),
                                        whole.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_EQ(load(cut).message().substr(0, 15), "x.ids: at byte ") << size;
  }
  std::mt19937_64 random(11);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::vector<std::uint8_t> damaged = whole;
    damaged[at] = static_cast<std::uint8_t>(damaged[at] + 1 + random() % 255);
    EXPECT_FALSE(load(damaged).ok()) << "byte " << at;
  }
  std::vector<std::uint8_t> longer = whole;
  longer.push_back(0);
  EXPECT_EQ(load(longer).message(),
            "x.ids: at byte " + std::to_string(whole.size()) + ": the file ends inside a block");
}

TEST(IdFile, OfAnOlderCopseIsToldByItsVersion) {
  const std::string old = "copse.ids/1\nSCHM and so on";
  EXPECT_EQ(load({old.begin(), old.end()}).message(),
            "x.ids: at byte 0: an id file of another version; this copse reads copse.ids/2");
}

TEST(IdFile, HasItsSectionsInOneOrder) {
  wire::SectionWriter file(kIdFileHeader);
  file.add(static_cast<std::uint8_t>(IdSection::kPieces), {});
  file.add(static_cast<std::uint8_t>(IdSection::kEnd), {});
  EXPECT_EQ(load(file.file()).message(), "x.ids: at byte 26: a section out of place");
}

TEST(IdFile, SaysWhichFileCannotBeRead) {
  EXPECT_EQ(read_id_file("/none/x.ids").message(), "/none/x.ids: No such file or directory");
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
}  // namespace copse::context_id
