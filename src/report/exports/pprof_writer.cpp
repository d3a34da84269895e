#include "report/exports/tool_formats.h"

#include <protozero/pbf_builder.hpp>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/grouped.h"
#include "report/exports/gzip.h"
#include "report/exports/names.h"
#include "report/exports/pprof_fields.h"
#include "report/exports/stacks.h"
#include "report/model/display_names.h"
#include "report/model/measure_view.h"
#include "report/model/thread_rows.h"

namespace copse::report {
namespace {

using namespace pprof;
using protozero::pbf_builder;

constexpr std::size_t kBlockBytes = 1 << 16;
constexpr std::uint64_t kTheMapping = 1;

// "cpu" of cpu_ns, whose unit stands beside it.
std::string type_of(const MeasureView& view) {
  for (const std::string_view unit : {"_ns", "_bytes"}) {
    if (view.unit != Unit::kCount && view.name.size() > unit.size() && view.name.ends_with(unit)) {
      return view.name.substr(0, view.name.size() - unit.size());
    }
  }
  return view.name;
}

class PprofWriter {
 public:
  PprofWriter(const ReportModel& model, const PprofOptions& options, Output& out)
      : model_(model),
        views_(measures_on_offer(model)),
        stacks_(model, views_, options.depth, options.most_stack_bytes),
        gzip_(out) {
    texts_.emplace("", 0);
    in_order_.push_back(&texts_.begin()->first);
  }

  // Names come last: which there are is known then.
  void write() {
    put_what_it_is();
    stacks_.for_each([&](const Stacks::Stack& stack) { put_sample(stack); });
    put_locations();
    put_functions();
    for (const std::string* text : in_order_) {
      profile_.add_string(ProfileField::kStringTable, *text);
      flush(kBlockBytes);
    }
    flush(0);
    gzip_.finish();
  }

 private:
  std::int64_t text(std::string text) {
    const auto [found, is_new] =
        texts_.emplace(std::move(text), static_cast<std::int64_t>(in_order_.size()));
    if (is_new) in_order_.push_back(&found->first);
    return found->second;
  }

  void flush(std::size_t above) {
    if (bytes_.size() <= above) return;
    gzip_.put(bytes_);
    bytes_.clear();
  }

  void put_what_it_is() {
    for (const MeasureView& view : views_) {
      pbf_builder<ValueTypeField> type(profile_, ProfileField::kSampleType);
      type.add_int64(ValueTypeField::kType, text(type_of(view)));
      type.add_int64(ValueTypeField::kUnit, text(std::string(unit_name(view.unit))));
      if (view.name == model_.shown) default_type_ = text(type_of(view));
    }
    profile_.add_int64(ProfileField::kDefaultSampleType, default_type_);
    profile_.add_int64(ProfileField::kTimeNanos,
                       static_cast<std::int64_t>(nanoseconds_of(model_.program.started)));
    profile_.add_int64(ProfileField::kDurationNanos,
                       static_cast<std::int64_t>(model_.program.wall_ms * 1e6));
    for (const std::string& comment : comments()) {
      profile_.add_int64(ProfileField::kComment, text(comment));
    }
    pbf_builder<MappingField> mapping(profile_, ProfileField::kMapping);
    mapping.add_uint64(MappingField::kId, kTheMapping);
    const auto& command = model_.program.command;
    mapping.add_int64(MappingField::kFilename, text(command.empty() ? "java" : command.front()));
    for (const auto has : {MappingField::kHasFunctions, MappingField::kHasFilenames,
                           MappingField::kHasLineNumbers, MappingField::kHasInlineFrames}) {
      mapping.add_bool(has, true);
    }
  }

  std::vector<std::string> comments() const {
    std::vector<std::string> comments = {model_.created_by};
    for (const MeasureView& view : views_) {
      if (view.lost != 0) comments.push_back(view.name + kLost + grouped(view.lost));
      if (view.is_estimate) comments.push_back(view.name + kIsEstimate);
      if (view.is_calls() && !model_.totals.calls_of.empty()) {
        comments.push_back(view.name + kCallsOf + model_.totals.calls_of);
      }
    }
    if (const std::uint64_t depth = stacks_.cut_at(); depth != 0) {
      comments.push_back(note_of_cut(depth));
    }
    comments.insert(comments.end(), model_.notes.begin(), model_.notes.end());
    return comments;
  }

  void put_sample(const Stacks::Stack& stack) {
    sample_.clear();
    pbf_builder<SampleField> sample(sample_);
    sample.add_bytes(SampleField::kLocationId, stack.locations.data(), stack.locations.size());
    sample.add_packed_int64(SampleField::kValue, stack.values.begin(), stack.values.end());
    if (stack.thread >= 0) {
      pbf_builder<LabelField> label(sample, SampleField::kLabel);
      label.add_int64(LabelField::kKey, text(kThreadLabel));
      const auto thread = thread_of(model_, static_cast<std::size_t>(stack.thread));
      label.add_int64(LabelField::kStr, text(std::string(*thread)));
    }
    profile_.add_message(ProfileField::kSample, sample_);
    flush(kBlockBytes);
  }

  void put_locations() {
    std::uint64_t id = 0;
    for (const Stacks::Location& place : stacks_.locations()) {
      pbf_builder<LocationField> location(profile_, ProfileField::kLocation);
      location.add_uint64(LocationField::kId, ++id);
      location.add_uint64(LocationField::kMappingId, kTheMapping);
      pbf_builder<LineField> line(location, LocationField::kLine);
      line.add_uint64(LineField::kFunctionId, function_id(place.method));
      if (place.line != 0) line.add_int64(LineField::kLine, place.line);
    }
  }

  // Function 1 stands for amounts outside any context.
  static std::uint64_t function_id(std::int32_t method) {
    return static_cast<std::uint64_t>(method + 2);
  }

  void put_functions() {
    for (std::int32_t method = -1; method < static_cast<std::int32_t>(model_.methods.name.size());
         ++method) {
      const std::string name = method < 0 ? std::string(kOutsideContexts) : names_.plain(method);
      pbf_builder<FunctionField> function(profile_, ProfileField::kFunction);
      function.add_uint64(FunctionField::kId, function_id(method));
      function.add_int64(FunctionField::kName, text(name));
      if (method < 0) continue;
      function.add_int64(FunctionField::kSystemName, text(system_name(model_.methods, method)));
      function.add_int64(FunctionField::kFilename, text(source_path(model_.methods, method)));
    }
    flush(kBlockBytes);
  }

  const ReportModel& model_;
  const DisplayNames names_{model_.methods};
  const std::vector<MeasureView> views_;
  Stacks stacks_;
  Gzip gzip_;
  std::string bytes_;  // not compressed yet
  pbf_builder<ProfileField> profile_{bytes_};
  std::string sample_;
  std::unordered_map<std::string, std::int64_t> texts_;
  std::vector<const std::string*> in_order_;
  std::int64_t default_type_ = 0;
};

}  // namespace

Status write_pprof(const ReportModel& model, const PprofOptions& options, Output& out) {
  if (Status status = check_63_bits(model, "pprof"); !status) return status;
  PprofWriter(model, options, out).write();
  return {};
}

}  // namespace copse::report
