#include "encoders/study/reports.h"

#include <algorithm>
#include <functional>

#include "base/grouped.h"
#include "encoders/study/figures_text.h"

namespace copse::study {
namespace {

std::string every(std::uint64_t period, const std::string& what) {
  return period == 1 ? "every " + what : "one " + what + " in " + grouped(period);
}

std::string claim_of(const encoders::EncoderInfo& info) {
  switch (info.claim) {
    case encoders::Claim::kPrecise:
      return "precise";
    case encoders::Claim::kMerged:
      return "up to merging";
    case encoders::Claim::kKnownCode:
      return "known code";
    case encoders::Claim::kNeverWrong:
      return "never wrong";
    case encoders::Claim::kNone:
      break;
  }
  if (info.form == encoders::Form::kPublished) return "as published";
  if (info.form == encoders::Form::kWeakened) return "weakened";
  return info.decodes ? "no claim" : "by chance";
}

std::string verdict_of(const EncoderCheck& row) {
  if (!row.holds()) return "FAILED";
  if (row.info->claim != encoders::Claim::kNone) return "holds";
  return row.wrong + row.undecodable + row.collisions > 0 ? "fails, as known" : "no failure seen";
}

// Returns notes on the gaps in the rows' figures.
std::string footnotes(const std::vector<const EncoderCheck*>& rows) {
  std::string text;
  for (const EncoderCheck* row : rows) {
    const std::string name(row->info->name);
    if (row->failure) {
      const DecodeFailure& failure = *row->failure;
      text += name + ": " + grouped(row->wrong) + " wrong, " + grouped(row->undecodable) +
              " undecodable; first the token after operation " + grouped(failure.sample.position) +
              (failure.at_once() ? ", decoded at once" : ", decoded at the end") + ": " +
              failure.what + '\n';
    }
    if (row->stopped_at != 0) {
      text += name + ": stopped after operation " + grouped(row->stopped_at) + ": it held " +
              bytes_text(static_cast<double>(row->peak_bytes)) + " bytes\n";
    }
    if (!row->info->decodes) {
      text += chance_text(name, row->collisions, row->contexts, row->longest_token);
    }
    if (row->given_up != 0) {
      text += name + ": gave up decoding " + counted(row->given_up, "token") +
              ", each at a limit: of the work, or of 64 bits\n";
    }
    if (row->not_kept != 0) {
      text += name + ": " + counted(row->not_kept, "token") +
              " decoded at once only: together they are too large to keep\n";
    }
  }
  return text.empty() ? text : '\n' + text;
}

std::string spread(const ReplayNs& ns) { return fixed(ns.most - ns.least, 1); }

std::string cost_table(const Comparison& comparison) {
  TextTable::Row header = {"encoder",  "claim",       "right", "ns/call",    "spread",
                           "ns/token", "ns/decode",   "token", "longest",    "live/thread",
                           "resident", "decode-only", "peak",  "per context"};
  if (comparison.live) header.emplace_back("slowdown");
  TextTable table(std::move(header));
  for (const ComparedScheme& scheme : comparison.schemes) {
    const EncoderCheck& check = scheme.check;
    const SchemeFigures figures = figures_of(scheme, comparison);
    TextTable::Row row = {std::string(check.info->name),
                          claim_of(*check.info),
                          figures.precision ? percent(*figures.precision) : "-",
                          fixed(figures.call_ns, 1),
                          spread(scheme.replay),
                          fixed(check.token_ns, 0),
                          check.info->decodes ? fixed(check.decode_ns, 0) : "-",
                          fixed(figures.mean_token_bytes, 1),
                          grouped(check.longest_token),
                          bytes_text(figures.live_bytes_per_thread),
                          bytes_text(static_cast<double>(figures.resident_bytes)),
                          bytes_text(static_cast<double>(figures.decode_only_bytes)),
                          bytes_text(static_cast<double>(check.peak_bytes)),
                          fixed(figures.bytes_per_context, 1)};
    if (comparison.live) row.push_back(slowdown_text(*comparison.live, check.info->name));
    table.add(std::move(row));
  }
  return table.text() +
         "right: share of tokens that decode to their context, at once and at the end, rounded "
         "down; of hashes, of contexts told apart. ns/call:\n"
         "with the return. spread: slowest round less fastest; a time below 0 is within the "
         "spreads. From token on, columns are bytes, as allocated;\n"
         "per context: resident and decode-only, by the contexts of the stream. docs/encodings.md "
         "explains claims, forms and figures.\n";
}

// A warning where the rounds are short.
std::string short_round_text(const Comparison& comparison) {
  constexpr double kShortMs = 100;
  const double ms = comparison.bare.median * static_cast<double>(comparison.stream.calls) / 1e6;
  if (ms >= kShortMs) return "";
  return "A round of the bare replay takes " + fixed(ms, 1) +
         " ms: times are those of tables that grow, and spreads are wide\n";
}

// The growth points nearest to an eighth, a quarter, a half and all of the stream.
std::vector<std::size_t> shown_points(const std::vector<GrowthPoint>& growth) {
  std::vector<std::size_t> shown;
  for (const std::size_t part : {8u, 4u, 2u, 1u}) {
    const std::size_t point = (growth.size() + part - 1) / part - 1;
    if (shown.empty() || shown.back() != point) shown.push_back(point);
  }
  return shown;
}

std::string growth_table(const Comparison& comparison) {
  const std::vector<GrowthPoint>& growth = comparison.stream.growth;
  if (growth.empty()) return "";
  const std::vector<std::size_t> shown = shown_points(growth);
  TextTable::Row header = {"after calls"}, contexts = {"contexts"};
  for (const std::size_t point : shown) {
    header.push_back(grouped(growth[point].calls));
    contexts.push_back(grouped(growth[point].contexts));
  }
  TextTable table(std::move(header));
  table.add(std::move(contexts));
  for (const ComparedScheme& scheme : comparison.schemes) {
    TextTable::Row row = {std::string(scheme.check.info->name)};
    for (const std::size_t point : shown) {
      const std::vector<GrowthBytes>& bytes = scheme.check.growth;
      row.push_back(point < bytes.size()
                        ? bytes_text(static_cast<double>(bytes[point].use.total() -
                                                         bytes[point].use.replay_bytes))
                        : "-");
    }
    table.add(std::move(row));
  }
  return table.text();
}

std::string stack_table(const Comparison& comparison) {
  TextTable table({"encoder", "mean", "max", "by unexpected calls: mean", "max"});
  for (const ComparedScheme& scheme : comparison.schemes) {
    const EncoderCheck& check = scheme.check;
    if (!check.stack) continue;
    const StackFigures& stack = *check.stack;
    const bool tells = stack.has_unexpected;
    table.add({std::string(check.info->name), fixed(per_token(stack.entries, check.tokens), 2),
               grouped(stack.most_entries),
               tells ? fixed(per_token(stack.unexpected, check.tokens), 2) : "-",
               tells ? grouped(stack.most_unexpected) : "-"});
  }
  return table.text();
}

std::string summary_table(const Comparison& comparison) {
  TextTable table({"encoder", "context as"}, true);
  for (const ComparedScheme& scheme : comparison.schemes) {
    const encoders::EncoderInfo& info = *scheme.check.info;
    table.add({std::string(info.name), std::string(info.summary)});
  }
  return table.text();
}

// The given graph, which static schemes have in common, has a line of its own.
std::string scheme_facts_text(const Comparison& comparison) {
  const auto is_of_graph = [](const SchemeFact& fact) {
    constexpr std::string_view kNames[] = {"nodes", "edges", "call_sites", "virtual_call_sites",
                                           "back_edges"};
    return std::ranges::find(kNames, fact.name) != std::end(kNames);
  };
  std::string text;
  SchemeFacts graph;
  for (const ComparedScheme& scheme : comparison.schemes) {
    SchemeFacts facts = scheme.check.facts;
    const auto of_graph = std::ranges::stable_partition(facts.values, std::not_fn(is_of_graph));
    if (graph.values.empty()) graph.values.assign(of_graph.begin(), of_graph.end());
    facts.values.erase(of_graph.begin(), of_graph.end());
    text += facts_text(scheme.check.info->name, facts);
  }
  return facts_text("graph of static schemes", graph) + text;
}

// Returns the replayed stream, and where tokens were taken.
std::string stream_text(const StreamFigures& stream) {
  std::string text = stream.name + ": " + counted(stream.operations, "operation") + ", " +
                     counted(stream.calls, "call") + ", " + counted(stream.contexts, "context") +
                     ", " + counted(stream.methods, "method") + ", " +
                     counted(stream.edges, "edge") + ", " + counted(stream.threads, "thread") +
                     "; calls are " + fixed(stream.mean_depth, 1) + " deep on average, at most " +
                     grouped(stream.max_depth) + '\n';
  text += counted(stream.samples, "token") + ": " + every(stream.call_period, "call");
  if (stream.marks > 0) {
    text += ", " + every(stream.mark_period, "mark") + " of " + grouped(stream.marks);
  }
  if (stream.random_samples > 0) {
    text += ", " + grouped(stream.random_samples) + " random places with seed " +
            std::to_string(stream.seed);
  }
  text += "\nStatic schemes: graph of ";
  text += stream.given_graph ? "the report given" : "the stream's own calls";
  if (stream.withheld > 0) {
    text += " without " + percent(stream.withheld) + " of the methods";
    if (stream.entries_withheld) text += " and of thread entries";
    text += ", seed " + std::to_string(stream.seed);
  }
  text += '\n';
  if (stream.truth_mismatches > 0) {
    text += "DEFECT: shadow stack and context tree differ at " +
            counted(stream.truth_mismatches, "place") + '\n';
  }
  return text;
}

}  // namespace

std::string validation_text(const StreamFigures& stream, const std::vector<EncoderCheck>& rows) {
  TextTable table({"encoder", "claim", "tokens", "decoded", "wrong", "undecodable", "collisions",
                   "longest", "verdict"},
                  true);
  std::vector<const EncoderCheck*> all;
  for (const EncoderCheck& row : rows) {
    const bool decodes = row.info->decodes;
    table.add({std::string(row.info->name), claim_of(*row.info), grouped(row.tokens),
               decodes ? grouped(row.decoded) : "-", decodes ? grouped(row.wrong) : "-",
               decodes ? grouped(row.undecodable) : "-", grouped(row.collisions),
               grouped(row.longest_token), verdict_of(row)});
    all.push_back(&row);
  }
  return stream_text(stream) + '\n' + table.text() + footnotes(all);
}

std::string comparison_text(const Comparison& comparison, bool details) {
  std::string text = stream_text(comparison.stream);
  text += "Bare replay: " + fixed(comparison.bare.median, 1) + " ns per call (spread " +
          spread(comparison.bare) + "), subtracted below; medians of " +
          counted(comparison.rounds, "round") + '\n' + short_round_text(comparison) + '\n';
  text += cost_table(comparison);
  text += "\nBytes allocated, all but tokens, by calls so far\n" + growth_table(comparison);
  if (details) {
    text +=
        "\nEntries on the stack where tokens were taken, equal ones too; in pieces, pieces but the "
        "first\n" +
        stack_table(comparison);
    text += "\nEncoders\n" + summary_table(comparison);
    text +=
        "\nFigures of the papers; a breakpoint is a piece, begun once; pushes count every call "
        "that pushes\n";
    text += scheme_facts_text(comparison);
  }
  std::vector<const EncoderCheck*> all;
  for (const ComparedScheme& scheme : comparison.schemes) all.push_back(&scheme.check);
  text += footnotes(all);
  return comparison.live ? text + '\n' + live_text(*comparison.live, details) : text;
}

}  // namespace copse::study
