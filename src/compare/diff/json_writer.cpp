#include "compare/diff/writers.h"

#include <algorithm>
#include <string>
#include <vector>

#include "compare/identity/stable_ids.h"
#include "report/exports/json_text.h"
#include "report/model/display_names.h"
#include "report/model/row.h"

namespace copse::diff {
namespace {

using report::at;
using report::ReportModel;

// Limit for the frames of a path; a longer path has its outermost and innermost frames.
constexpr std::size_t kMostFrames = 200;

class DiffJson : private report::JsonText {
 public:
  DiffJson(const Comparison& comparison, const Findings& findings, const JsonOptions& options,
           report::Output& out)
      : JsonText(out), comparison_(comparison), findings_(findings), options_(options) {}

  void write() {
    begin("", '{');
    field("schema", kDiffSchema);
    field("created_by", comparison_.both.created_by);
    field("id_rules", in_words(comparison_.rules));
    write_side("old", comparison_.old_name, comparison_.old_about);
    write_side("new", comparison_.new_name, comparison_.both);
    if (!comparison_.part.empty()) field("part", comparison_.part);
    if (!comparison_.judged.empty()) write_rules();
    write_measures();
    write_contexts();
    field("shown", comparison_.measures[findings_.measure].name);
    write_changes();
    write_methods();
    write_packages();
    begin("renamed", '[');
    for (const Renamed& renamed : comparison_.renamed) {
      begin("", '{').field("from", renamed.from).field("to", renamed.to).end('}');
    }
    end(']');
    begin("perhaps_renamed", '[');
    for (std::size_t i = 0; i < std::min(options_.top, findings_.suggestions.size()); ++i) {
      const Suggestion& one = findings_.suggestions[i];
      begin("", '{').field("from", one.from).field("to", one.to);
      field("option", one.option).end('}');
    }
    end(']').end('}');
  }

 private:
  void write_side(const char* key, const std::string& name, const ReportModel& about) {
    begin(key, '{').field("name", name).field("command", about.program.command);
    field("runtime", about.program.runtime).field("started", about.program.started);
    field("calls_seen", about.totals.calls_seen).field("calls_lost", about.totals.calls_lost);
    field("evicted_calls", about.totals.evicted_calls);
    field("merged_methods", about.totals.merged_methods);
    field("reports", std::max<std::uint64_t>(1, about.merged.reports));
    field("notes", about.notes).end('}');
  }

  void write_rules() {
    begin("rules", '[');
    for (const ReportModel::Compared::Rule& rule : comparison_.judged) {
      begin("", '{').field("rule", rule.text).field("outcome", rule.outcome);
      field("found", rule.found).field("notes", rule.notes).field("measure", rule.measure);
      begin("contexts", '{').field("count", rule.contexts.size() + rule.other_contexts);
      begin("list", '[');
      for (const ReportModel::Compared::Rule::Context& context : rule.contexts) {
        write_context(context);
      }
      end(']').end('}').end('}');
    }
    end(']');
  }

  void write_context(const ReportModel::Compared::Rule::Context& context) {
    const auto row = static_cast<std::int32_t>(context.node);
    begin("", '{');
    field("id", identity::stable_ids_at(comparison_.both, comparison_.rules, {row})[0]);
    if (comparison_.in_old(at(row))) field("old", context.before);
    if (comparison_.in_new(at(row))) field("new", context.now);
    field("path", path(row)).end('}');
  }

  void write_measures() {
    const bool is_part = !comparison_.part.empty();
    begin("measures", '[');
    for (std::size_t i = 0; i < comparison_.measures.size(); ++i) {
      const ComparedMeasure& measure = comparison_.measures[i];
      begin("", '{').field("name", measure.name).field("unit", measure.unit);
      if (measure.in_old) {
        field("old", sum_of(comparison_.old_values(i))).field("old_lost", measure.old_lost);
        if (is_part) field("old_whole", measure.old_whole);
        write_left_out("old", measure.old_left_out);
      }
      if (measure.in_new) {
        field("new", sum_of(comparison_.new_values(i))).field("new_lost", measure.new_lost);
        if (is_part) field("new_whole", measure.new_whole);
        write_left_out("new", measure.new_left_out);
      }
      end('}');
    }
    end(']');
  }

  void write_left_out(const std::string& side, const LeftOut& left_out) {
    if (left_out.jvm != 0) field(side + "_jvm", left_out.jvm);
    if (left_out.idle != 0) field(side + "_idle", left_out.idle);
  }

  void write_contexts() {
    const ContextCounts& counts = findings_.contexts;
    begin("contexts", '{').field("new", counts.only_new).field("gone", counts.only_old);
    field("more", counts.more).field("fewer", counts.fewer).field("equal", counts.equal).end('}');
  }

  std::string frame(std::int32_t node, std::int32_t callee) const {
    std::string text = names_.method(comparison_.both.nodes.method[at(node)]);
    const std::int32_t site = callee < 0 ? -1 : comparison_.both.nodes.site[at(callee)];
    const std::int32_t line = site < 0 ? -1 : comparison_.both.sites.line[at(site)];
    return line < 0 ? text : text + ":" + std::to_string(line);
  }

  // Outermost frame first, each with the line of its call.
  std::vector<std::string> path(std::int32_t node) const {
    std::vector<std::int32_t> nodes;
    for (; node > 0; node = comparison_.both.nodes.parent[at(node)]) nodes.push_back(node);
    std::vector<std::string> frames;
    for (std::size_t i = nodes.size(); i-- > 0;) {
      if (nodes.size() > kMostFrames && i == nodes.size() - 1 - kMostFrames / 2) {
        frames.push_back("...");
        i = kMostFrames / 2 - 1;
      }
      frames.push_back(frame(nodes[i], i == 0 ? -1 : nodes[i - 1]));
    }
    return frames;
  }

  void write_changes() {
    const std::vector<Change>& all = findings_.changes.list;
    const std::vector<Change> list(
        all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(options_.top, all.size())));
    begin("changes", '{').field("count", all.size()).field("rest", findings_.changes.rest);
    std::vector<std::int32_t> rows;
    for (const Change& change : list) rows.push_back(change.node);
    const std::vector<StableId> ids =
        identity::stable_ids_at(comparison_.both, comparison_.rules, rows);
    const Inclusive inclusive = inclusive_at(comparison_, findings_.measure, list);
    begin("list", '[');
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::size_t node = at(list[i].node);
      begin("", '{').field("kind", name_of(list[i].kind)).field("effect", list[i].effect);
      if (list[i].is_per_caller) field("per_caller", true);
      if (list[i].error != 0) field("error", list[i].error);
      field("id", ids[i]);
      if (comparison_.in_old(node)) {
        field("old_calls", comparison_.old_values(0)[node]);
        field("old_inclusive", inclusive.before[i]);
      }
      if (comparison_.in_new(node)) {
        field("new_calls", comparison_.new_values(0)[node]);
        field("new_inclusive", inclusive.now[i]);
      }
      field("path", path(list[i].node)).end('}');
    }
    end(']').end('}');
  }

  void write_methods() {
    begin("methods", '{').field("count", findings_.groups.methods.size()).begin("list", '[');
    for (std::size_t i = 0; i < std::min(options_.top, findings_.groups.methods.size()); ++i) {
      const MethodChange& method = findings_.groups.methods[i];
      begin("", '{').field("method", names_.method(method.method));
      field("old_calls", method.old_calls).field("new_calls", method.new_calls);
      field("old_exclusive", method.old_exclusive).field("new_exclusive", method.new_exclusive);
      field("old_inclusive", method.old_inclusive).field("new_inclusive", method.new_inclusive);
      end('}');
    }
    end(']').end('}');
  }

  void write_packages() {
    begin("packages", '{').field("count", findings_.groups.packages.size()).begin("list", '[');
    for (std::size_t i = 0; i < std::min(options_.top, findings_.groups.packages.size()); ++i) {
      const PackageChange& package = findings_.groups.packages[i];
      begin("", '{').field("package", package.package);
      field("old_exclusive", package.old_exclusive).field("new_exclusive", package.new_exclusive);
      end('}');
    }
    end(']').end('}');
  }

  const Comparison& comparison_;
  const Findings& findings_;
  const JsonOptions& options_;
  const report::DisplayNames names_{comparison_.both.methods};
};

}  // namespace

void write_json(const Comparison& comparison, const Findings& findings, const JsonOptions& options,
                report::Output& out) {
  DiffJson(comparison, findings, options, out).write();
}

}  // namespace copse::diff
