#include "encoders/registry.h"

#include <array>
#include <string>

namespace copse::encoders {
namespace {

// name, claims_precision, decodes, needs_graph, is_literal, has_codes, summary
constexpr std::array<EncoderInfo, 24> kEncoders = {{
    {"walk", true, true, false, false, false, "copy of the shadow stack"},
    {"cct", true, true, false, false, false, "exact calling context tree"},
    {"cct-merged", true, true, false, false, false, "context tree that merges recursion"},
    {"uptree", true, true, false, false, false, "parent-linked nodes made at events"},
    {"segment", true, true, false, false, true, "append-only code ranges, one integer per context"},
    {"pcce", true, true, true, false, true, "static path numbers, pushes at cut edges"},
    {"pcce-literal", false, true, true, true, true, "PCCE that resets to 0 at cut edges"},
    {"deltapath", true, true, true, false, true, "one addition per site, anchors, path tracking"},
    {"deltapath-literal", false, true, true, true, true, "DeltaPath as published"},
    {"dacce", true, true, false, false, true, "path numbers renewed as the graph is discovered"},
    {"luce", true, true, false, false, true, "path numbers over a versioned graph"},
    {"luce-canonical", true, true, false, false, true, "Luce giving out the last relevant version"},
    {"luce-conditional", true, true, false, false, true, "Luce bumping for caller versions in use"},
    {"luce-unversioned", false, true, false, true, true,
     "Luce without versions of caller versions"},
    {"luce-literal", false, true, false, true, true, "Luce as published"},
    {"rcce", true, true, true, false, true, "mixed-radix number of the path"},
    {"rcce-literal", false, true, true, true, true, "RCCE as published"},
    {"rcce-minus", false, true, true, false, true, "RCCE without overflow check"},
    {"rcce-minus-literal", false, true, true, true, true, "RCCE- as published"},
    {"valence", true, true, true, false, false, "bit string of edge serials"},
    {"stable", true, true, true, false, false, "globally distinct ids, equal in every run"},
    {"breadcrumbs", false, true, false, false, false, "PCC decoded by search"},
    {"pcc32", false, false, false, false, false, "32-bit hash of the path"},
    {"pcc64", false, false, false, false, false, "64-bit hash of the path"},
}};

}  // namespace

std::span<const EncoderInfo> all_encoders() noexcept { return kEncoders; }

const EncoderInfo* find_encoder(std::string_view name) noexcept {
  for (const EncoderInfo& info : kEncoders) {
    if (info.name == name) return &info;
  }
  return nullptr;
}

Result<std::unique_ptr<Encoder>> make_encoder(std::string_view name, const EncoderConfig& config) {
  std::unique_ptr<Encoder> encoder;
  const bool known = visit_encoder(name, config, [&](auto make) {
    encoder = std::make_unique<EncoderAdapter<decltype(make())>>(make);
  });
  if (!known) return Status::error("encoder " + std::string(name) + ": no such encoder");
  return encoder;
}

}  // namespace copse::encoders
