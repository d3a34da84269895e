#include "encoders/replay/encoder_info.h"

#include <algorithm>

#include "encoders/numbering/addition.h"
#include "encoders/numbering/dacce.h"
#include "encoders/numbering/luce.h"
#include "encoders/numbering/rcce.h"
#include "encoders/numbering/segment.h"

namespace copse::encoders {
namespace {

using Names = std::unique_ptr<graph::GraphNames>;
using Made = std::unique_ptr<CodeNumbering>;

std::uint32_t in_32_bits(std::uint64_t most_codes) {
  return static_cast<std::uint32_t>(std::min(most_codes, kMostIdCodes));
}

Made segment(graph::CallGraph, Names, std::uint64_t most_codes) {
  return std::make_unique<SegmentNumbering>(
      SegmentNumberingOptions{.most_codes = in_32_bits(most_codes)});
}
Made pcce(graph::CallGraph graph, Names names, std::uint64_t most_codes) {
  GraphAdditions additions = pcce_additions(graph, most_codes);
  additions.facts = pcce_facts(graph, additions);
  return std::make_unique<AdditionNumbering>(kPcceName, std::move(graph), std::move(additions),
                                             std::move(names));
}
Made deltapath(graph::CallGraph graph, Names names, std::uint64_t most_codes) {
  GraphAdditions additions = deltapath_additions(graph, most_codes);
  return std::make_unique<AdditionNumbering>(kDeltaPathName, std::move(graph), std::move(additions),
                                             std::move(names));
}
template <bool kChecksRoom>
Made rcce(graph::CallGraph graph, Names names, std::uint64_t most_codes) {
  return std::make_unique<RcceNumbering>(std::move(graph), std::move(names),
                                         RcceNumberingOptions{most_codes, kChecksRoom});
}
Made dacce(graph::CallGraph, Names, std::uint64_t most_codes) {
  return std::make_unique<DacceNumbering>(DacceNumberingOptions{.most_codes = most_codes});
}
// As often as the slides have it: a word of its own holds the time stamp.
Made dacce_on_stack(graph::CallGraph, Names, std::uint64_t most_codes) {
  return std::make_unique<DacceNumbering>(
      DacceNumberingOptions{.first_edges = 8,
                            .first_pieces = 1 << 12,
                            .first_heat = 64,
                            .growth = 1,
                            .most_epochs = std::uint64_t{1} << 32,
                            .most_codes = most_codes});
}
Made luce(graph::CallGraph, Names, std::uint64_t most_codes) {
  return std::make_unique<LuceNumbering>(
      LuceNumberingOptions{.most_codes = in_32_bits(most_codes)});
}

constexpr Carrier kPieces = Carrier::kPieces;
constexpr Carrier kStack = Carrier::kStack;
constexpr Claim kNone = Claim::kNone;
constexpr Claim kPrecise = Claim::kPrecise;
constexpr Claim kMerged = Claim::kMerged;
constexpr Claim kKnownCode = Claim::kKnownCode;
constexpr Claim kNeverWrong = Claim::kNeverWrong;
constexpr Form kOurs = Form::kOurs;
constexpr Form kPublished = Form::kPublished;
constexpr Form kWeakened = Form::kWeakened;

// clang-format off
// name, claim, decodes, needs_graph, form, has_codes, summary, carrier, numbering
constexpr EncoderInfo kEncoders[] = {
    {"walk", kPrecise, true, false, kOurs, false, "copy of the shadow stack"},
    {"cct", kPrecise, true, false, kOurs, false, "node of an exact calling context tree"},
    {"cct-merged", kMerged, true, false, kOurs, false, "node of a context tree that merges recursion"},
    {"uptree", kPrecise, true, false, kOurs, false, "node with a parent link alone, made at events"},
    {SegmentNumbering::kName, kPrecise, true, false, kOurs, true,
     "number in ranges that are only added to, learnt while running", kPieces, segment},
    {kPcceName, kPrecise, true, true, kOurs, true, "path number of a given graph; cut edges start pieces",
     kPieces, pcce},
    {"pcce-stack", kPrecise, true, true, kOurs, true, "PCCE's number; cut edges push code and edge", kStack,
     pcce},
    {"pcce-literal", kNone, true, true, kPublished, true, "PCCE as published"},
    {"pcce-no-dummy-edge", kNone, true, true, kWeakened, true,
     "PCCE that pushes call sites alone, without dummy edges", kStack, pcce, StackNames::kSites},
    {kDeltaPathName, kPrecise, true, true, kOurs, true, "sum of one addition per call site; anchors start pieces",
     kPieces, deltapath},
    {"deltapath-tracking", kKnownCode, true, true, kOurs, true,
     "DeltaPath's sum and stack, its call path tracking mended"},
    {"deltapath-literal", kNone, true, true, kPublished, true, "DeltaPath as published"},
    {"deltapath-literal-kept", kNone, true, true, kPublished, true,
     "DeltaPath as published, numbered again with the state kept"},
    {RcceNumbering::kName, kPrecise, true, true, kOurs, true,
     "mixed-radix number of the path; overflow starts pieces", kPieces, rcce<true>},
    {"rcce-stack", kPrecise, true, true, kOurs, true, "RCCE's number; overflow pushes code and edge", kStack,
     rcce<true>},
    {"rcce-literal", kNone, true, true, kPublished, true, "RCCE as published"},
    {"rcce-literal-id", kNone, true, true, kPublished, true, "RCCE as published, entries of ids alone"},
    {"rcce-minus", kNone, true, true, kOurs, true, "rcce-stack without the check for overflow", kStack,
     rcce<false>},
    {"rcce-minus-literal", kNone, true, true, kPublished, false, "RCCE- as published"},
    {DacceNumbering::kName, kPrecise, true, false, kOurs, true,
     "path number of the graph met so far, renumbered in epochs; new edges start pieces", kPieces, dacce},
    {"dacce-stack", kPrecise, true, false, kOurs, true, "DACCE's number; new edges push code and edge",
     kStack, dacce_on_stack},
    {LuceNumbering::kName, kPrecise, true, false, kOurs, true,
     "range of Luce's codes in one version of the graph; cycles start pieces", kPieces, luce},
    {"luce-versions", kPrecise, true, false, kOurs, true, "Luce's code and version of the graph"},
    {"luce-canonical", kPrecise, true, false, kOurs, true,
     "luce-versions with the last version that changed the frame's own step"},
    {"luce-conditional", kPrecise, true, false, kOurs, true,
     "luce-versions with a new version only where the caller's old one was used"},
    {"luce-no-caller-bump", kNone, true, false, kWeakened, true,
     "luce-versions without a new version when a caller's version changes"},
    {"luce-literal", kNone, true, false, kPublished, false, "Luce as published"},
    {"valence", kPrecise, true, true, kOurs, false, "string of bits, a serial number for each edge"},
    {"stable", kPrecise, true, true, kOurs, false, "number that tells method and path, equal in every run"},
    {"breadcrumbs", kNeverWrong, true, false, kOurs, false, "PCC's hash, decoded by a search among the calls seen"},
    {"pcc32", kNone, false, false, kOurs, false, "32-bit hash of the path"},
    {"pcc64", kNone, false, false, kOurs, false, "64-bit hash of the path"},
};
// clang-format on

}  // namespace

std::span<const EncoderInfo> all_encoders() noexcept { return kEncoders; }

const EncoderInfo* find_encoder(std::string_view name) noexcept {
  const auto* found = std::ranges::find(kEncoders, name, &EncoderInfo::name);
  return found == std::end(kEncoders) ? nullptr : found;
}

const EncoderInfo* find_live_encoder(std::string_view name) noexcept {
  const EncoderInfo* found = find_encoder(name);
  return found != nullptr && found->carrier == kPieces ? found : nullptr;
}

}  // namespace copse::encoders
