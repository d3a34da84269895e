#include "study/size_formulas.h"

#include "study/text_table.h"

namespace copse::study {
namespace {

SizeFormula exactly(std::string_view text, double bytes) { return {text, bytes, bytes}; }
SizeFormula at_least(std::string_view text, double bytes) { return {text, bytes, -1}; }
SizeFormula unknown(std::string_view text) { return {text, -1, -1}; }
SizeFormula none() { return exactly("0", 0); }

}  // namespace

SizeFormulas formulas_of(std::string_view scheme, const StreamFigures& stream) {
  const double sample_depth = stream.mean_sample_depth;
  const auto depth = static_cast<double>(stream.max_depth);
  const auto contexts = static_cast<double>(stream.contexts);
  const auto edges = static_cast<double>(stream.edges);
  const auto methods = static_cast<double>(stream.methods);
  const auto is = [scheme](std::string_view name) { return scheme.starts_with(name); };
  if (is("walk")) {
    return {exactly("12d", 12 * sample_depth), exactly("12 per frame", 12 * depth), none(), none()};
  }
  if (is("cct")) {
    return {exactly("4", 4),
            exactly("4 per frame", 4 * depth),
            {"24 to 56 per context", is("cct-merged") ? 0 : 24 * contexts, 56 * contexts},
            none()};
  }
  if (is("uptree")) {
    return {exactly("8", 8), exactly("8 per frame", 8 * depth), unknown("16 per node"), none()};
  }
  if (is("pcc32") || is("pcc64")) {
    return {exactly(is("pcc32") ? "4" : "8", is("pcc32") ? 4 : 8),
            exactly("8 per frame", 8 * depth), none(), none()};
  }
  if (is("breadcrumbs")) {
    return {{"4 or 8", 4, 8},
            exactly("8 per frame", 8 * depth),
            at_least("16 per edge + 8 to 16 per cold value", 16 * edges),
            none()};
  }
  if (is("pcce")) {
    return {at_least("12 + 12k", 12), at_least("8 + 12k", 8), none(),
            exactly("16 per edge", 16 * edges)};
  }
  if (is("deltapath")) {
    return {at_least("12 + 16(1 + k)", 28), at_least("24 + 16k", 24),
            exactly("4 per method", 4 * methods), unknown("8 per site + 8 per (method, anchor)")};
  }
  if (is("dacce")) {
    return {at_least("16 + 16k", 16), at_least("8 + 16k", 8), exactly("24 per edge", 24 * edges),
            at_least("16 per edge and version", 16 * edges)};
  }
  if (is("luce")) {
    return {exactly("20", 20), exactly("16 per frame", 16 * depth),
            exactly("24 per edge + 16 per method", 24 * edges + 16 * methods),
            unknown("12 to 16 per log entry")};
  }
  if (is("segment")) {
    return {exactly("12", 12), exactly("8 per frame", 8 * depth), unknown("28 per segment"),
            none()};
  }
  if (is("rcce")) {
    return {at_least("12 + 12o", 12), at_least("8 + 12o", 8), none(),
            exactly("8 per edge", 8 * edges)};
  }
  return {};
}

std::string to_string(const SizeFormula& formula) {
  if (formula.text.empty()) return "-";
  std::string text(formula.text);
  if (formula.low < 0) return text;
  const std::string low = bytes_text(formula.low);
  if (text == low) return text;
  text += " = " + low;
  if (formula.high < 0) {
    text += "..";
  } else if (formula.high > formula.low) {
    text += ".." + bytes_text(formula.high);
  }
  return text;
}

}  // namespace copse::study
