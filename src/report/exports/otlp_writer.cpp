#include "report/exports/tool_formats.h"

#include <algorithm>
#include <charconv>
#include <protozero/pbf_builder.hpp>
#include <protozero/varint.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/grouped.h"
#include "report/exports/names.h"
#include "report/exports/stacks.h"
#include "report/model/display_names.h"
#include "report/model/measure_view.h"
#include "report/model/slices.h"
#include "report/model/thread_rows.h"

namespace copse::report {
namespace {

using protozero::pbf_builder;
using Tag = protozero::pbf_tag_type;

// Numbers of the fields, as in profiles.proto, common.proto and resource.proto.
enum class DataField : Tag { kResourceProfiles = 1, kDictionary = 2 };
enum class ResourceProfilesField : Tag { kResource = 1, kScopeProfiles = 2 };
enum class ResourceField : Tag { kAttributes = 1 };
enum class ScopeProfilesField : Tag { kScope = 1, kProfiles = 2 };
enum class ScopeField : Tag { kName = 1, kVersion = 2, kAttributes = 3 };
enum class OtlpProfileField : Tag { kSampleType = 1, kSamples = 2, kTime = 3, kDuration = 4 };
enum class OtlpValueTypeField : Tag { kType = 1, kUnit = 2 };
enum class OtlpSampleField : Tag { kStack = 1, kAttributes = 2, kLink = 3, kValues = 4 };
enum class DictionaryField : Tag {
  kMappings = 1,
  kLocations = 2,
  kFunctions = 3,
  kLinks = 4,
  kTexts = 5,
  kAttributes = 6,
  kStacks = 7,
};
enum class OtlpLocationField : Tag { kLines = 3 };
enum class OtlpLineField : Tag { kFunction = 1, kLine = 2 };
enum class OtlpFunctionField : Tag { kName = 1, kSystemName = 2, kFilename = 3 };
enum class StackField : Tag { kLocations = 1 };
enum class LinkField : Tag { kTraceId = 1, kSpanId = 2 };
enum class AttributeField : Tag { kKey = 1, kValue = 2 };  // KeyValue and KeyValueAndUnit
enum class AnyValueField : Tag { kText = 1, kNumber = 3, kArray = 5 };
enum class ArrayField : Tag { kValues = 1 };

// Tag and length of a message that is written in pieces.
template <typename Field>
std::string beginning(Field field, std::uint64_t bytes) {
  std::string begun;
  protozero::write_varint(std::back_inserter(begun), static_cast<std::uint64_t>(field) << 3 | 2);
  protozero::write_varint(std::back_inserter(begun), bytes);
  return begun;
}

std::uint64_t bytes_of_number(std::uint64_t number) {
  return static_cast<std::uint64_t>(protozero::length_of_varint(number));
}

template <typename Field>
std::uint64_t bytes_of_field(Field field, std::uint64_t number) {
  return bytes_of_number(static_cast<std::uint64_t>(field) << 3) + bytes_of_number(number);
}

template <typename Field>
std::uint64_t bytes_with_beginning(Field field, std::uint64_t bytes) {
  return bytes_of_field(field, bytes) + bytes;
}

// Returns the bytes of an id in hexadecimal digits; zeros for one that is none.
std::string bytes_of_id(std::string_view digits, std::size_t count) {
  std::string bytes(count, '\0');
  if (digits.size() != 2 * count) return bytes;
  for (std::size_t i = 0; i < count; ++i) {
    unsigned value = 0;
    const char* const from = digits.data() + 2 * i;
    if (std::from_chars(from, from + 2, value, 16).ptr != from + 2) return std::string(count, '\0');
    bytes[i] = static_cast<char>(value);
  }
  return bytes;
}

class OtlpWriter {
 public:
  OtlpWriter(const ReportModel& model, const OtlpOptions& options, Output& out)
      : model_(model),
        out_(out),
        views_(measures_on_offer(model)),
        stacks_(model, views_, options.depth, options.most_stack_bytes),
        in_order_(1) {
    find_links();
  }

  // Each length precedes its message, so lengths are computed in a pass of their own. Memory is that of the names.
  void write() {
    std::vector<std::uint64_t> bytes_of_samples(views_.size());
    std::uint64_t bytes_of_stacks = 0;
    for_each([&](std::int32_t number, const Stacks::Stack& stack) {
      bytes_of_stacks += bytes_with_beginning(DictionaryField::kStacks, bytes_of(stack));
      for (std::size_t i = 0; i < views_.size(); ++i) {
        each_sample(number, stack, i, [&](const Sample& sample) {
          bytes_of_samples[i] += bytes_with_beginning(OtlpProfileField::kSamples, bytes_of(sample));
        });
      }
    });
    put_profiles(bytes_of_samples);
    put_dictionary(bytes_of_stacks);
  }

 private:
  // Stack 0 is none.
  template <typename Visit>
  void for_each(const Visit& visit) {
    std::int32_t number = 0;
    stacks_.for_each([&](const Stacks::Stack& stack) { visit(++number, stack); });
  }

  std::int32_t text(const std::string& text) {
    if (text.empty()) return 0;
    const auto [found, is_new] = texts_.emplace(text, static_cast<std::int32_t>(in_order_.size()));
    if (is_new) in_order_.push_back(text);
    return found->second;
  }

  // Its number among attributes; 0 is none.
  std::int32_t thread(std::int32_t row) {
    const auto [found, is_new] =
        threads_.emplace(row, static_cast<std::int32_t>(thread_rows_.size() + 1));
    if (is_new) thread_rows_.push_back(row);
    return found->second;
  }

  static std::uint64_t bytes_of(const Stacks::Stack& stack) {
    return bytes_with_beginning(StackField::kLocations, stack.locations.size());
  }
  void put(const Stacks::Stack& stack) {
    out_.put(beginning(DictionaryField::kStacks, bytes_of(stack)));
    out_.put(beginning(StackField::kLocations, stack.locations.size()));
    out_.put(stack.locations);
  }

  struct LinkedCalls {
    std::int32_t link;  // number among links; 0 means none
    std::int64_t calls;
  };
  // Numbers among stacks, attributes and links; 0 means none.
  struct Sample {
    std::int32_t stack;
    std::int32_t attribute;
    std::int32_t link;
    std::int64_t value;
  };

  // All samples of a report of one slice have its span for a link. Else the calls of kept slices with a span have theirs.
  void find_links() {
    if (!model_.one_slice.span.trace.empty()) {
      links_.push_back(model_.one_slice.span);
      return;
    }
    const ReportModel::Slices& slices = model_.slices;
    std::size_t next = 0;
    for (std::size_t i = 0; i < slices.kept.id.size(); ++i) {
      const std::size_t end = next + slices.kept.contexts[i];
      const ReportModel::Span span = span_of(slices, i);
      if (!span.trace.empty()) {
        links_.push_back(span);
        const auto link = static_cast<std::int32_t>(links_.size());
        for (std::size_t row = next; row < end; ++row) {
          linked_[static_cast<std::size_t>(slices.contexts.node[row])].push_back(
              {link, static_cast<std::int64_t>(slices.contexts.calls[row])});
        }
      }
      next = end;
    }
  }

  // Calls visit() with each sample of a stack: one for the calls of each slice with a span, and one for the rest.
  template <typename Visit>
  void each_sample(std::int32_t number, const Stacks::Stack& stack, std::size_t view,
                   const Visit& visit) {
    std::int64_t rest = stack.values[view];
    const auto linked =
        views_[view].name == kCallsMeasure ? linked_.find(stack.row) : linked_.end();
    if (linked != linked_.end()) {
      for (const LinkedCalls& part : linked->second) {
        const std::int64_t calls = std::min(part.calls, rest);
        if (calls != 0) visit(Sample{number, attribute_of(stack), part.link, calls});
        rest -= calls;
      }
    }
    if (rest == 0) return;
    const std::int32_t link = model_.one_slice.span.trace.empty() ? 0 : 1;
    visit(Sample{number, attribute_of(stack), link, rest});
  }
  std::int32_t attribute_of(const Stacks::Stack& stack) {
    return stack.thread < 0 ? 0 : thread(stack.thread);
  }

  static std::uint64_t bytes_of(const Sample& sample) {
    const auto number = [](auto value) { return static_cast<std::uint64_t>(value); };
    std::uint64_t bytes = bytes_of_field(OtlpSampleField::kStack, number(sample.stack));
    if (sample.attribute != 0) {
      bytes += bytes_with_beginning(OtlpSampleField::kAttributes,
                                    bytes_of_number(number(sample.attribute)));
    }
    if (sample.link != 0) bytes += bytes_of_field(OtlpSampleField::kLink, number(sample.link));
    return bytes +
           bytes_with_beginning(OtlpSampleField::kValues, bytes_of_number(number(sample.value)));
  }
  void put(const Sample& sample) {
    made_.clear();
    pbf_builder<OtlpSampleField> message(made_);
    message.add_int32(OtlpSampleField::kStack, sample.stack);
    if (sample.attribute != 0) {
      message.add_packed_int32(OtlpSampleField::kAttributes, &sample.attribute,
                               &sample.attribute + 1);
    }
    if (sample.link != 0) message.add_int32(OtlpSampleField::kLink, sample.link);
    message.add_packed_int64(OtlpSampleField::kValues, &sample.value, &sample.value + 1);
    out_.put(beginning(OtlpProfileField::kSamples, made_.size()));
    out_.put(made_);
  }

  std::string profile_without_samples(const MeasureView& view) {
    std::string made;
    pbf_builder<OtlpProfileField> profile(made);
    {
      pbf_builder<OtlpValueTypeField> type(profile, OtlpProfileField::kSampleType);
      type.add_int32(OtlpValueTypeField::kType, text(view.name));
      type.add_int32(OtlpValueTypeField::kUnit, text(std::string(unit_name(view.unit))));
    }
    profile.add_fixed64(OtlpProfileField::kTime, nanoseconds_of(model_.program.started));
    profile.add_uint64(OtlpProfileField::kDuration,
                       static_cast<std::uint64_t>(model_.program.wall_ms * 1e6));
    return made;
  }

  template <typename Field>
  static pbf_builder<AttributeField> attribute(pbf_builder<Field>& of, Field field,
                                               const char* key) {
    pbf_builder<AttributeField> made(of, field);
    made.add_string(AttributeField::kKey, key);
    return made;
  }

  std::string resource() const {
    std::string made;
    pbf_builder<ResourceField> resource(made);
    {
      auto pid = attribute(resource, ResourceField::kAttributes, "process.pid");
      pbf_builder<AnyValueField>(pid, AttributeField::kValue)
          .add_int64(AnyValueField::kNumber, model_.program.pid);
    }
    {
      auto runtime = attribute(resource, ResourceField::kAttributes, "process.runtime.description");
      pbf_builder<AnyValueField>(runtime, AttributeField::kValue)
          .add_string(AnyValueField::kText, model_.program.runtime);
    }
    auto command = attribute(resource, ResourceField::kAttributes, "process.command_args");
    pbf_builder<AnyValueField> value(command, AttributeField::kValue);
    pbf_builder<ArrayField> words(value, AnyValueField::kArray);
    for (const std::string& word : model_.program.command) {
      pbf_builder<AnyValueField>(words, ArrayField::kValues).add_string(AnyValueField::kText, word);
    }
    return made;
  }

  std::string scope() const {
    std::string made;
    pbf_builder<ScopeField> scope(made);
    const std::string& maker = model_.created_by;
    const std::size_t blank = maker.find(' ');
    scope.add_string(ScopeField::kName, maker.substr(0, blank));
    if (blank != std::string::npos) {
      scope.add_string(ScopeField::kVersion, maker.substr(blank + 1));
    }
    std::string notes;
    for (const MeasureView& view : views_) {
      if (view.lost != 0) notes += view.name + " lost: " + grouped(view.lost) + '\n';
    }
    if (const std::uint64_t depth = stacks_.cut_at(); depth != 0)
      notes += note_of_cut(depth) + '\n';
    for (const std::string& note : model_.notes) notes += note + '\n';
    if (notes.empty()) return made;
    auto attribute_of_notes = attribute(scope, ScopeField::kAttributes, "copse.notes");
    pbf_builder<AnyValueField>(attribute_of_notes, AttributeField::kValue)
        .add_string(AnyValueField::kText, notes);
    return made;
  }

  void put_profiles(const std::vector<std::uint64_t>& bytes_of_samples) {
    std::vector<std::string> profiles;
    const std::string scope_message = scope();
    std::uint64_t bytes = bytes_with_beginning(ScopeProfilesField::kScope, scope_message.size());
    for (std::size_t i = 0; i < views_.size(); ++i) {
      profiles.push_back(profile_without_samples(views_[i]));
      bytes += bytes_with_beginning(ScopeProfilesField::kProfiles,
                                    profiles[i].size() + bytes_of_samples[i]);
    }
    const std::string of = resource();
    out_.put(beginning(DataField::kResourceProfiles,
                       bytes_with_beginning(ResourceProfilesField::kResource, of.size()) +
                           bytes_with_beginning(ResourceProfilesField::kScopeProfiles, bytes)));
    out_.put(beginning(ResourceProfilesField::kResource, of.size()) + of);
    out_.put(beginning(ResourceProfilesField::kScopeProfiles, bytes));
    out_.put(beginning(ScopeProfilesField::kScope, scope_message.size()) + scope_message);
    for (std::size_t i = 0; i < views_.size(); ++i) {
      out_.put(beginning(ScopeProfilesField::kProfiles, profiles[i].size() + bytes_of_samples[i]));
      out_.put(profiles[i]);
      for_each([&](std::int32_t number, const Stacks::Stack& stack) {
        each_sample(number, stack, i, [&](const Sample& sample) { put(sample); });
      });
    }
  }

  void put_dictionary(std::uint64_t bytes_of_stacks) {
    const std::string no_stack = beginning(DictionaryField::kStacks, 0);
    const std::string tables = dictionary_without_stacks();
    out_.put(beginning(DataField::kDictionary, tables.size() + no_stack.size() + bytes_of_stacks));
    out_.put(tables);
    out_.put(no_stack);
    for_each([&](std::int32_t, const Stacks::Stack& stack) { put(stack); });
  }

  // The first item of each table stands for none.
  std::string dictionary_without_stacks() {
    std::string made;
    pbf_builder<DictionaryField> dictionary(made);
    for (const auto table : {DictionaryField::kMappings, DictionaryField::kLocations,
                             DictionaryField::kFunctions, DictionaryField::kAttributes}) {
      dictionary.add_message(table, std::string());
    }
    {
      pbf_builder<LinkField> link(dictionary, DictionaryField::kLinks);
      link.add_bytes(LinkField::kTraceId, std::string(16, '\0'));
      link.add_bytes(LinkField::kSpanId, std::string(8, '\0'));
    }
    for (const ReportModel::Span& span : links_) {
      pbf_builder<LinkField> link(dictionary, DictionaryField::kLinks);
      link.add_bytes(LinkField::kTraceId, bytes_of_id(span.trace, 16));
      link.add_bytes(LinkField::kSpanId, bytes_of_id(span.span, 8));
    }
    for (const Stacks::Location& place : stacks_.locations()) {
      pbf_builder<OtlpLocationField> location(dictionary, DictionaryField::kLocations);
      pbf_builder<OtlpLineField> line(location, OtlpLocationField::kLines);
      line.add_int32(OtlpLineField::kFunction, place.method + 2);
      if (place.line != 0) line.add_int64(OtlpLineField::kLine, place.line);
    }
    for (std::int32_t method = -1; method < static_cast<std::int32_t>(model_.methods.name.size());
         ++method) {
      pbf_builder<OtlpFunctionField> function(dictionary, DictionaryField::kFunctions);
      const std::string name = method < 0 ? std::string(kOutsideContexts) : names_.plain(method);
      function.add_int32(OtlpFunctionField::kName, text(name));
      if (method < 0) continue;
      function.add_int32(OtlpFunctionField::kSystemName, text(system_name(model_.methods, method)));
      function.add_int32(OtlpFunctionField::kFilename, text(source_path(model_.methods, method)));
    }
    for (const std::int32_t row : thread_rows_) {
      pbf_builder<AttributeField> made_attribute(dictionary, DictionaryField::kAttributes);
      made_attribute.add_int32(AttributeField::kKey, text("thread.name"));
      pbf_builder<AnyValueField>(made_attribute, AttributeField::kValue)
          .add_string(AnyValueField::kText,
                      std::string(*thread_of(model_, static_cast<std::size_t>(row))));
    }
    for (const std::string& item : in_order_) dictionary.add_string(DictionaryField::kTexts, item);
    return made;
  }

  const ReportModel& model_;
  const DisplayNames names_{model_.methods};
  Output& out_;
  const std::vector<MeasureView> views_;
  Stacks stacks_;
  std::unordered_map<std::string, std::int32_t> texts_;
  std::vector<std::string> in_order_;                       // the first is ""
  std::unordered_map<std::int32_t, std::int32_t> threads_;  // by row
  std::vector<std::int32_t> thread_rows_;
  std::vector<ReportModel::Span> links_;                              // the first has number 1
  std::unordered_map<std::size_t, std::vector<LinkedCalls>> linked_;  // by row of the model
  std::string made_;
};

}  // namespace

Status write_otlp(const ReportModel& model, const OtlpOptions& options, Output& out) {
  if (Status status = check_63_bits(model, "otlp"); !status) return status;
  OtlpWriter(model, options, out).write();
  return {};
}

}  // namespace copse::report
