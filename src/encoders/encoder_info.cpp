#include "encoders/encoder_info.h"

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
constexpr Form kOurs = Form::kOurs;
constexpr Form kPublished = Form::kPublished;
constexpr Form kWeakened = Form::kWeakened;

// clang-format off
// name, claims_precision, decodes, needs_graph, form, has_codes, summary, carrier, numbering
constexpr EncoderInfo kEncoders[] = {
    {"walk", true, true, false, kOurs, false, "copy of the shadow stack"},
    {"cct", true, true, false, kOurs, false, "node of an exact calling context tree"},
    {"cct-merged", true, true, false, kOurs, false, "node of a context tree that merges recursion"},
    {"uptree", true, true, false, kOurs, false, "node with a parent link alone, made at events"},
    {SegmentNumbering::kName, true, true, false, kOurs, true,
     "number in ranges that are only added to, learnt while running", kPieces, segment},
    {kPcceName, true, true, true, kOurs, true, "path number of a given graph; cut edges start pieces",
     kPieces, pcce},
    {"pcce-stack", true, true, true, kOurs, true, "PCCE's number; cut edges push code and edge", kStack,
     pcce},
    {"pcce-literal", false, true, true, kPublished, true, "PCCE as published"},
    {"pcce-no-dummy-edge", false, true, true, kWeakened, true,
     "pcce-stack without dummy edges, pushing call sites alone", kStack, pcce, StackNames::kSites},
    {kDeltaPathName, true, true, true, kOurs, true, "sum of one addition per call site; anchors start pieces",
     kPieces, deltapath},
    {"deltapath-tracking", true, true, true, kOurs, true,
     "DeltaPath's sum and stack, its call path tracking mended"},
    {"deltapath-literal", false, true, true, kPublished, true, "DeltaPath as published"},
    {RcceNumbering::kName, true, true, true, kOurs, true,
     "mixed-radix number of the path; overflow starts pieces", kPieces, rcce<true>},
    {"rcce-stack", true, true, true, kOurs, true, "RCCE's number; overflow pushes code and edge", kStack,
     rcce<true>},
    {"rcce-literal", false, true, true, kPublished, true, "RCCE as published"},
    {"rcce-minus", false, true, true, kOurs, true, "rcce-stack without the check for overflow", kStack,
     rcce<false>},
    {"rcce-minus-literal", false, true, true, kPublished, false, "RCCE- as published"},
    {DacceNumbering::kName, true, true, false, kOurs, true,
     "path number of the graph met so far, renumbered in epochs; new edges start pieces", kPieces, dacce},
    {"dacce-stack", true, true, false, kOurs, true, "DACCE's number; new edges push code and edge",
     kStack, dacce_on_stack},
    {LuceNumbering::kName, true, true, false, kOurs, true,
     "range of Luce's codes in one version of the graph; cycles start pieces", kPieces, luce},
    {"luce-versions", true, true, false, kOurs, true, "Luce's code and version of the graph"},
    {"luce-canonical", true, true, false, kOurs, true,
     "luce-versions with the last version that changed the frame's own step"},
    {"luce-conditional", true, true, false, kOurs, true,
     "luce-versions with a new version only where the caller's old one was used"},
    {"luce-no-caller-bump", false, true, false, kWeakened, true,
     "luce-versions without a new version when a caller's version changes"},
    {"luce-literal", false, true, false, kPublished, false, "Luce as published"},
    {"valence", true, true, true, kOurs, false, "string of bits, a serial number for each edge"},
    {"stable", true, true, true, kOurs, false, "number that tells method and path, equal in every run"},
    {"breadcrumbs", false, true, false, kOurs, false, "PCC's hash, decoded by a search among the calls seen"},
    {"pcc32", false, false, false, kOurs, false, "32-bit hash of the path"},
    {"pcc64", false, false, false, kOurs, false, "64-bit hash of the path"},
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
