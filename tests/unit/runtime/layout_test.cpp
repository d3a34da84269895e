// The probes in Java and the recorder in C++ read and write the same memory: each constant of a
// Java runtime class is here, with what it is in C++.
#include <gtest/gtest.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>

#include "agent/jvm/measures/allocated_types.h"
#include "agent/jvm/measures/allocation_places.h"
#include "agent/jvm/runtime/runtime_class.h"
#include "agent/jvm/runtime_bytes.h"
#include "base/byte_reader.h"
#include "base/call_record.h"
#include "base/id_word.h"
#include "cct/inplace/inline_layout.h"
#include "cct/inplace/inline_trees.h"
#include "classfile/constant_pool.h"
#include "encoders/ids/allocation_counts.h"
#include "encoders/ids/id_layout.h"
#include "probes/context_id_probes.h"
#include "shadowstack/thread_header.h"

namespace copse {
namespace {

using Constants = std::map<std::string, std::int64_t>;

constexpr std::int64_t kUnsigned = std::numeric_limits<std::uint32_t>::max();

// Skips a constant (JVMS 4.4); a long or double takes two indices.
void skip_constant(ByteReader& in, classfile::ConstantTag tag) {
  using enum classfile::ConstantTag;
  in.skip(1);
  if (tag == kUtf8) {
    in.skip(in.u2());
  } else if (tag == kLong || tag == kDouble) {
    in.skip(8);
  } else if (tag == kClass || tag == kString || tag == kMethodType) {
    in.skip(2);
  } else {
    in.skip(tag == kMethodHandle ? 3 : 4);
  }
}

std::int64_t number_at(const classfile::ConstantPool& pool, std::uint16_t index) {
  ByteReader in(pool.original());
  for (std::uint16_t i = 1; i < index; ++i) {
    if (const auto tag = pool.tag(i)) skip_constant(in, *tag);
  }
  in.skip(1);
  const std::uint32_t first = in.u4();
  if (pool.tag(index) != classfile::ConstantTag::kLong) return static_cast<std::int32_t>(first);
  return static_cast<std::int64_t>(std::uint64_t{first} << 32 | in.u4());
}

// The fields of a class that are constants.
Constants constants_of(std::span<const std::uint8_t> bytes) {
  Constants constants;
  classfile::ConstantPool pool;
  ByteReader in(bytes);
  in.skip(8);  // magic, version
  if (!pool.parse(bytes, in)) return constants;
  in.skip(6);             // access, this, super
  in.skip(2u * in.u2());  // interfaces
  for (int fields = in.u2(); fields > 0 && in.ok(); --fields) {
    in.skip(2);
    const std::string name(pool.utf8(in.u2()).value_or(""));
    in.skip(2);
    for (int attributes = in.u2(); attributes > 0 && in.ok(); --attributes) {
      const auto attribute = pool.utf8(in.u2());
      ByteReader content(in.bytes(in.u4()));
      if (attribute == "ConstantValue") constants[name] = number_at(pool, content.u2());
    }
  }
  return constants;
}

constexpr int log2_of(std::uint64_t power) { return std::countr_zero(power); }
constexpr std::int64_t as_signed(std::uint64_t bits) { return static_cast<std::int64_t>(bits); }
constexpr std::int64_t raw_kind(encoders::SlotKind kind) { return static_cast<std::int64_t>(kind); }
constexpr std::int64_t id_word_bits(IdWordHalf half) {
  return static_cast<std::int64_t>(half) << kIdWordHalfShift;
}

TEST(RuntimeLayout, OfProbesThatFillPacketsIsTheRecordersOwn) {
  EXPECT_EQ(constants_of(kRecordProbeBytes),
            (Constants{{"DEPTH_ONE", as_signed(kDepthOne)},
                       {"DEPTH", as_signed(~kKeyMask)},
                       {"SITE", as_signed(kKeyMask >> kSiteShift)},
                       {"SITE_SHIFT", kSiteShift},
                       {"WORD", offsetof(shadowstack::ThreadHeader, word)},
                       {"UNWATCHED", 1},
                       {"WATCHED", 2}}));
}

// From a frame, which is the address of its node's first slot.
constexpr std::int64_t from_frame(std::size_t offset) {
  return static_cast<std::int64_t>(offset) - static_cast<std::int64_t>(cct::kInlineSlots);
}

TEST(RuntimeLayout, OfProbesThatBuildTreesIsThatOfTheirNodes) {
  EXPECT_EQ(constants_of(kCopseTreeBytes),
            (Constants{{"UNIT_SHIFT", log2_of(cct::kInlineUnit)},
                       {"CALLS", from_frame(offsetof(cct::InlineNode, calls))},
                       {"METHOD", from_frame(offsetof(cct::InlineNode, method))},
                       {"NEXT", from_frame(offsetof(cct::InlineNode, next))},
                       {"ENTRY", from_frame(offsetof(cct::InlineNode, entry))},
                       {"TABLE_SIZE", from_frame(offsetof(cct::InlineNode, slots))},
                       {"SLOTS", cct::kInlineSlots},
                       {"SLOT_SHIFT", log2_of(cct::kInlineSlotBytes)},
                       {"TABLE_HASH", static_cast<std::int32_t>(cct::kInlineTableHash)},
                       {"TABLE_SHIFT", cct::kInlineTableShift},
                       {"UNSIGNED", kUnsigned}}));
}

TEST(RuntimeLayout, OfExcerptsIsWhatTheirBeginningReturns) {
  EXPECT_EQ(constants_of(kCopseExcerptBytes),
            (Constants{{"RESUMES_FRAMES", as_signed(cct::InlineTrees::kResumesFrames)}}));
}

TEST(RuntimeLayout, OfWordsIsWhereTheAgentPutsThem) {
  const auto place = [](jvm::WordPlace word) { return static_cast<std::int64_t>(word); };
  EXPECT_EQ(constants_of(kCopseWordBytes),
            (Constants{{"ADDED_FIELD", place(jvm::WordPlace::kAddedField)},
                       {"STACK_SIZE", place(jvm::WordPlace::kStackSize)},
                       {"HOLDERS_STACK_SIZE", place(jvm::WordPlace::kHoldersStackSize)},
                       {"HEADER", place(jvm::WordPlace::kHeader)},
                       {"PLAIN_IN_THREAD", 1},
                       {"PLAIN_IN_HOLDER", 2},
                       {"OTHER", 3}}));
}

TEST(RuntimeLayout, OfProbesThatKeepIdsIsThatOfTheirTables) {
  EXPECT_EQ(constants_of(kCopseIdsBytes),
            (Constants{{"CODE_SHIFT", encoders::kIdCodeShift},
                       {"PIECE_SHIFT", encoders::kIdPieceShift},
                       {"NUMBER", as_signed(encoders::kIdNumberMask)},
                       {"CODE", as_signed(encoders::kIdCodeMask)},
                       {"CODES", as_signed(encoders::kMostIdCodes)},
                       {"PIECE", as_signed(~(encoders::kIdCodeMask | encoders::kIdNumberMask))},
                       {"TRANSITION_SHIFT", log2_of(sizeof(std::uint64_t))},
                       {"TRANSITION_LOG", ids::kIdTransitionLog},
                       {"TRANSITION_MULTIPLIER", as_signed(ids::kIdTransitionMultiplier)},
                       {"ROOT_NUMBERS", ids::kRootNumbers},
                       {"LOST", ids::kLostNumber},
                       {"SLOT_SHIFT", log2_of(sizeof(std::uint32_t))},
                       {"SLOTS", as_signed(ids::kIdSlotBytes / sizeof(std::uint32_t))},
                       {"CHANGE_SHIFT", log2_of(sizeof(std::uint64_t))},
                       {"CHANGES", as_signed(ids::kIdSlotBytes / sizeof(std::uint64_t))},
                       {"SITE_SHIFT", log2_of(ids::kIdSlotBytes)},
                       {"HOLDS_TRANSITIONS", raw_kind(encoders::SlotKind::kMappings)},
                       {"HOLDS_RADICES", raw_kind(encoders::SlotKind::kRadices)},
                       {"HOLDS_EPOCH_RECORDS", raw_kind(encoders::SlotKind::kEpochMappings)},
                       {"STARTS_PIECE", as_signed(ids::kIdStartsPiece)},
                       {"MAPPING_SHIFT", log2_of(sizeof(ids::IdMapping))},
                       {"FIRST", offsetof(ids::IdMapping, first)},
                       {"LENGTH", offsetof(ids::IdMapping, length)},
                       {"CHANGE", offsetof(ids::IdMapping, change)},
                       {"CALLEE", offsetof(ids::IdMapping, callee)},
                       {"SITE", offsetof(ids::IdMapping, site)},
                       {"MULTIPLIER", as_signed(ids::kIdRecentMultiplier)},
                       {"RECENT_LOG", ids::kIdRecentLog},
                       {"PIECE_SLOT_SHIFT", log2_of(sizeof(ids::IdPieceSlot))},
                       {"PIECE_FRAME", offsetof(ids::IdPieceSlot, frame)},
                       {"TABLE_LOG", as_signed(ids::kIdPieceLogMask)},
                       {"WORDS_ARE_SET", 1},  // their own
                       {"WORDS_ARE_ASKED_FOR", 2},
                       {"UNSIGNED", kUnsigned}}));
}

TEST(RuntimeLayout, OfProbesThatCountAllocationsIsThatOfTheirEntriesAndSizes) {
  Constants constants = constants_of(kCopseAllocationsBytes);
  for (const char* own : {"FOUND_SHIFT", "UP_TO"}) {
    EXPECT_EQ(constants.erase(own), 1u) << own << ": its own";
  }
  EXPECT_EQ(constants, (Constants{{"ALLOCATIONS", offsetof(shadowstack::ThreadHeader, allocations)},
                                  {"ALLOCATING", offsetof(shadowstack::ThreadHeader, allocating)},
                                  {"PACKETS", offsetof(shadowstack::ThreadHeader, packets)},
                                  {"RECORD_SHIFT", log2_of(sizeof(CallRecord))},
                                  {"DEPTH_SHIFT", kDepthShift},
                                  {"INDEX_SHIFT", jvm::kAllocationIndexShift},
                                  {"PACKETS_SHIFT", jvm::kAllocationPacketsShift},
                                  {"ENTRY_SHIFT", log2_of(sizeof(ids::AllocationEntry))},
                                  {"COUNT", offsetof(ids::AllocationEntry, count)},
                                  {"BYTES", offsetof(ids::AllocationEntry, bytes)},
                                  {"LOG", sizeof(ids::AllocationEntry) - 1},
                                  {"MULTIPLIER", as_signed(ids::kAllocationMultiplier)},
                                  {"SIZE_SHIFT", log2_of(sizeof(std::uint64_t))},
                                  {"KNOWN", as_signed(jvm::kKnownSize)},
                                  {"SCALE_BITS", jvm::kArrayScaleBits},
                                  {"REFERENCE_ARRAY", classfile::kReferenceArray},
                                  {"UNIT_SHIFT", log2_of(cct::kInlineUnit)},
                                  {"TYPE_BITS", jvm::kAllocatedTypeBits}}));
}

TEST(RuntimeLayout, OfProbesThatLeaveIdWordsIsThatOfIdWordsInPackets) {
  Constants constants = constants_of(kCopseIdWordsBytes);
  EXPECT_EQ(constants.erase("DEEPEST_STACK"), 1u) << "its own";
  EXPECT_EQ(constants,
            (Constants{{"WORD", offsetof(shadowstack::ThreadHeader, word)},
                       {"ID_WORD", offsetof(shadowstack::ThreadHeader, id_word)},
                       {"UNTIL_ID_WORD", offsetof(shadowstack::ThreadHeader, until_id_word)},
                       {"UNTIL_STACK", offsetof(shadowstack::ThreadHeader, until_stack)},
                       {"DEPTH_ONE", as_signed(kDepthOne)},
                       {"DEPTH", as_signed(~kKeyMask)},
                       {"SITE_SHIFT", kSiteShift},
                       {"UPPER", id_word_bits(IdWordHalf::kUpper)},
                       {"LOWER", id_word_bits(IdWordHalf::kLower)}}));
}

TEST(RuntimeLayout, OfClassesWithoutTablesIsTheirOwn) {
  EXPECT_EQ(constants_of(kCopseThreadBytes),
            (Constants{{"BY_THREAD_ID", 1},
                       {"IN_THREAD", 2},
                       {"MOUNTED", offsetof(shadowstack::ThreadHeader, mounted)},
                       {"RETHROWS", offsetof(shadowstack::ThreadHeader, rethrows)},
                       {"RETHROWN", as_signed(shadowstack::rethrown_at(0))}}));
  EXPECT_EQ(constants_of(kCopseNativeBytes), Constants{});
}

}  // namespace
}  // namespace copse
