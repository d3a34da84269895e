#include "encoders/ids/id_report.h"

#include <algorithm>
#include <utility>

#include "base/grouped.h"
#include "report/model/model_builder.h"
#include "report/model/output.h"
#include "report/model/summed_measures.h"
#include "report/report_file.h"

namespace copse::ids {
namespace {

constexpr std::size_t kMostUnknown = 10;  // whose sentences are kept

void add_to(NumberColumn& values, std::uint32_t node, std::uint64_t value) {
  if (node >= values.size()) values.resize(node + std::size_t{1});
  values[node] += value;
}

// And not that in which threads are parked alone.
bool has_all_states(std::span<const events::EventKind> kinds) {
  return std::find(kinds.begin(), kinds.end(), events::EventKind::kRunnable) != kinds.end();
}

}  // namespace

EventReport::EventReport(const IdRecords& records, std::span<const events::EventKind> kinds,
                         const events::OutsideMethods& outside)
    : records_(records), outside_(outside) {
  const RecordedEvents marks = records.events(events::EventKind::kMark);
  marks_ = marks.seen;
  if (!records.steps) {
    totals_ = {marks.seen, marks.sums.size(), marks.seen};
    marks_lost_ = marks.seen;
    notes_.push_back("Ids are hash values: " + counted(marks.sums.size(), "different one") +
                     " at events, none can be decoded.");
    return;
  }
  add_marks();
  for (const events::EventKind kind : kinds) add_measures(events::info_of(kind));
  if (has_all_states(kinds)) {
    report::insert_sum(measures_, std::string(events::kWallColumn), events::kStateColumns,
                       events::kStateColumns);
    report::insert_sum(measures_, std::string(events::kWallSamplesColumn),
                       events::kStateSamplesColumns, events::kStateColumns);
  }
  totals_.contexts = contexts_.size();
}

std::vector<std::string> EventReport::measures() const {
  std::vector<std::string> names;
  for (const report::ProgramTables::Measure& measure : measures_) names.push_back(measure.name);
  return names;
}

// kOverflowNode when the id has no node.
std::uint32_t EventReport::node_of(std::uint64_t id) {
  const std::optional<std::uint32_t> node = nodes_.node_of(
      id, *records_.steps, cct::Cct::kOverflowNode,
      [this](std::uint32_t parent, ContextKey key) { return tree_.child(parent, key); });
  if (node) return *node;
  if (unknown_.size() < kMostUnknown) unknown_.push_back(events::IdContexts::kUnknown);
  return cct::Cct::kOverflowNode;
}

std::uint32_t EventReport::node_outside(std::size_t place) {
  if (outside_[place] == kNoMethod) return cct::Cct::kOverflowNode;
  return tree_.child(raw(kRootNode), context_key(kNoSite, outside_[place]));
}

template <typename Add>
EventAmount EventReport::distribute(events::EventKind kind, Add add) {
  const RecordedEvents events = records_.events(kind);
  EventAmount lost{events.lost_weight, events.lost};
  const auto add_at = [&](std::uint32_t node, const EventAmount& amount) {
    if (node == cct::Cct::kOverflowNode) {
      lost.count += amount.count;
      lost.weight += amount.weight;
    } else {
      contexts_.insert(node);
      add(node, amount);
    }
  };
  for (const EventSum& sum : events.sums) add_at(node_of(sum.id), {sum.weight, sum.count});
  for (std::size_t place = 0; place < events::kOutsidePlaces; ++place) {
    const EventSum& sum = events.outside[place];
    if (sum.count != 0 || sum.weight != 0) add_at(node_outside(place), {sum.weight, sum.count});
  }
  totals_.events += events.seen;
  totals_.events_lost += lost.count;
  if (kind == events::EventKind::kMark) marks_ = events.seen;
  return lost;
}

void EventReport::add_marks() {
  const EventAmount lost =
      distribute(events::EventKind::kMark, [this](std::uint32_t node, const EventAmount& amount) {
        tree_.add_calls(node, amount.count);
      });
  marks_lost_ = lost.count;
}

void EventReport::add_measures(const events::EventKindInfo& kind) {
  report::ProgramTables::Measure counts{std::string(kind.count), "events", 0, {}};
  report::ProgramTables::Measure weights{
      std::string(kind.weight), std::string(kind.weight_unit), 0, {}};
  const EventAmount lost =
      distribute(kind.kind, [&](std::uint32_t node, const EventAmount& amount) {
        add_to(counts.values, node, amount.count);
        add_to(weights.values, node, amount.weight);
      });
  counts.lost = lost.count;
  weights.lost = lost.weight;
  if (!kind.weight.empty()) measures_.push_back(std::move(weights));
  if (!kind.count.empty()) measures_.push_back(std::move(counts));
}

Result<report::ReportModel> EventReport::model(report::ProgramTables about) && {
  about.calls_of = report::kMarkedMethods;
  about.calls_seen = marks_;
  about.calls_lost = marks_lost_;
  about.measures = std::move(measures_);
  about.notes.insert(about.notes.end(), notes_.begin(), notes_.end());
  return report::build_model(tree_, std::move(about));
}

Status write_id_run(report::ReportModel& model, const std::string& path,
                    std::optional<std::uint64_t> max_contexts, const wire::SectionWriter* ids,
                    const std::string& id_path) {
  report::AtomicFile report(path);
  if (Status status = report::put_report(model, path, max_contexts, report); !status) return status;
  if (Status status = report.finish(); !status) return status;
  if (ids != nullptr) {
    if (Status status = ids->write_to(id_path); !status) return status;
  }
  return report.commit();
}

}  // namespace copse::ids
