#include "report/exports/encoder_figures.h"

namespace copse::report {

void put_figures(JsonText& json, const std::optional<StackFigures>& stack, std::uint64_t tokens,
                 const SchemeFacts& facts) {
  if (stack) {
    const auto unexpected = [&](auto figure) {
      return stack->has_unexpected ? std::optional(figure) : std::nullopt;
    };
    json.begin("stack", '{')
        .field("mean", per_token(stack->entries, tokens))
        .field("max", stack->most_entries)
        .field("unexpected_mean", unexpected(per_token(stack->unexpected, tokens)))
        .field("unexpected_max", unexpected(stack->most_unexpected))
        .end('}');
  } else {
    json.field("stack", std::optional<std::uint64_t>());
  }
  json.begin("facts", '{');
  for (const SchemeFact& fact : facts.values) json.field(fact.name, fact.value);
  json.end('}');
  json.begin("epochs", '[');
  for (const EpochFacts& epoch : facts.epochs) {
    json.begin("", '{')
        .field("trigger", epoch.trigger)
        .field("edges", epoch.edges)
        .field("max_id", epoch.max_id)
        .field("ns", epoch.ns)
        .end('}');
  }
  json.end(']');
}

void put_figures(JsonText& json, const EncoderFigures& figures) {
  json.field("tokens", figures.tokens);
  put_figures(json, figures.stack, figures.tokens, figures.facts);
}

}  // namespace copse::report
