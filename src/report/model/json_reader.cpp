#include "report/model/json_reader.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <concepts>
#include <cstring>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/descriptor.h"
#include "report/model/byte_stream_internal.h"
#include "report/model/measure_view.h"
#include "report/model/model_check.h"

namespace copse::report {
namespace {

// Target of the value of a key. A vector takes the items of an array; the options take text and
// numbers.
using Target =
    std::variant<std::monostate, std::string*, std::int64_t*, std::uint64_t*, double*,
                 std::vector<std::string>*, std::vector<std::int32_t>*, std::vector<std::uint64_t>*,
                 NumberColumn*, std::map<std::string, std::string>*>;

enum class Stored { kYes, kWrongType, kOutOfRange };

template <typename T, typename Value>
Stored store(T& to, Value& value) {
  constexpr bool kIsText = std::is_same_v<Value, std::string>;
  if constexpr (std::is_same_v<T, std::string> && kIsText) {
    to = std::move(value);
  } else if constexpr (std::is_same_v<T, double> && std::is_arithmetic_v<Value>) {
    to = static_cast<double>(value);
  } else if constexpr (std::is_integral_v<T> && std::is_integral_v<Value>) {
    if (!std::in_range<T>(value)) return Stored::kOutOfRange;
    to = static_cast<T>(value);
  } else {
    return Stored::kWrongType;
  }
  return Stored::kYes;
}

template <typename T, typename Value>
Stored store(std::vector<T>& to, Value& value) {
  T item{};
  const Stored stored = store(item, value);
  if (stored == Stored::kYes) to.push_back(std::move(item));
  return stored;
}

template <typename Value>
Stored store(NumberColumn& to, Value& value) {
  std::uint64_t item{};
  const Stored stored = store(item, value);
  if (stored == Stored::kYes) to.push_back(item);
  return stored;
}

// Follows the parser through the document: two levels of keys lead to a target; everything else is
// skipped with its subtree.
class ModelSax final : public nlohmann::json_sax<nlohmann::json> {
 public:
  // `takes_numbers`: lists of numbers bypass the parser, whose messages then have a wrong column.
  ModelSax(Bytes& bytes, bool takes_numbers) : bytes_(bytes), takes_numbers_(takes_numbers) {
    model_.shown.clear();
    list_columns();
  }

  Status status() const { return status_; }
  // After the parse: returns an error unless the document is a report of a supported version.
  Status check_schema() const;
  // Returns the report, of any version, in current names.
  ReportModel take_model();

  bool null() override { return other_value("null", "null"); }
  bool boolean(bool v) override { return other_value("a boolean", v ? "true" : "false"); }
  bool number_integer(number_integer_t v) override { return integer(v); }
  bool number_unsigned(number_unsigned_t v) override { return integer(v); }
  bool number_float(number_float_t v, const string_t& text) override {
    return value(v, "a fraction", [&] { return text; });
  }
  bool string(string_t& v) override {
    return value(v, "a string", [&] { return v; });
  }
  bool binary(binary_t&) override { return other_value("binary data", ""); }
  bool start_object(std::size_t) override { return open("an object"); }
  bool key(string_t& name) override;
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open("an array"); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::detail::exception& error) override;

 private:
  struct Known {
    const char* group;
    const char* name;
    Target target;
  };
  // Expected form at a place of the document: an object, a list, one value; kAnything is skipped.
  enum class Form { kReport, kGroup, kItem, kItemList, kColumn, kValue, kAnything };

  Form form() const;
  bool open(std::string_view type);
  bool close();
  template <typename Value, typename Text>
  bool value(Value& v, const char* type, Text text);
  template <typename Integer>
  bool integer(Integer v) {
    return value(v, "a number", [&] { return std::to_string(v); });
  }
  // Handles a value of a type that no known key has.
  bool other_value(const char* type, const char* text) {
    std::monostate nothing;
    return value(nothing, type, [&] { return std::string(text); });
  }
  bool unexpected(std::string_view type);
  bool fail(const std::string& why);
  // The first column of a group grows as it is read; its length is room for the others. So a report of 50 million
  // contexts needs 20 bytes for each, not the 26 and more of arrays that doubled.
  void begin_column();
  template <std::integral Number>
  void take_numbers(std::vector<Number>& to);
  void end_column();
  void add_item();
  void list_columns();
  Target column_target(const std::string& name);
  Target item_target(const std::string& name);
  std::string where() const;

  Bytes& bytes_;
  const bool takes_numbers_;
  Status status_;
  ReportModel model_;
  std::vector<Known> known_;
  std::string schema_;
  std::vector<Form> around_;   // enclosing objects and lists
  std::uint64_t skipped_ = 0;  // open brackets of an unknown part
  std::string group_, name_;   // keys of the current place
  std::size_t rows_ = 0;       // of the group's last column; 0 means none yet
  Target target_;
};

std::string ModelSax::where() const {
  std::string path = group_;
  if (!name_.empty()) path += (path.empty() ? "" : ".") + name_;
  return path;
}

bool ModelSax::fail(const std::string& why) {
  const std::string path = where();
  status_ = Status::error(Fault::kMalformed, "near byte " + std::to_string(bytes_.offset()) + ": " +
                                                 (path.empty() ? "" : path + ": ") + why);
  return false;
}

// Lists the targets of keys by group and name. Items of threads[], measures[] and skipped[] are
// found separately, because their targets move with each item.
void ModelSax::list_columns() {
  ReportModel& m = model_;
  known_ = {
      {"", "schema", &schema_},
      {"", "created_by", &m.created_by},
      {"", "notes", &m.notes},
      {"", "shown", &m.shown},
      {"program", "command", &m.program.command},
      {"program", "pid", &m.program.pid},
      {"program", "runtime", &m.program.runtime},
      {"program", "started", &m.program.started},
      {"program", "wall_ms", &m.program.wall_ms},
      {"program", "snapshot", &m.program.snapshot},
      {"program", "runs", &m.program.runs},
      {"timeline", "step_ms", &m.timeline.step_ms},
      {"timeline", "program_ns", &m.timeline.program_ns},
      {"timeline", "compilers_ns", &m.timeline.compilers_ns},
      {"timeline", "collectors_ns", &m.timeline.collectors_ns},
      {"timeline", "others_ns", &m.timeline.others_ns},
      {"merged", "reports", &m.merged.reports},
      {"merged", "names", &m.merged.names},
      {"merged", "rules", &m.merged.rules},
      {"totals", "calls", &m.totals.calls},
      {"totals", "calls_of", &m.totals.calls_of},
      {"totals", "contexts", &m.totals.contexts},
      {"totals", "threads", &m.totals.threads},
      {"totals", "max_depth", &m.totals.max_depth},
      {"totals", "calls_seen", &m.totals.calls_seen},
      {"totals", "calls_lost", &m.totals.calls_lost},
      {"totals", "packets", &m.totals.packets},
      {"totals", "evicted_calls", &m.totals.evicted_calls},
      {"totals", "evicted_contexts", &m.totals.evicted_contexts},
      {"totals", "merged_methods", &m.totals.merged_methods},
      {"totals", "merged_depth_at_least", &m.totals.merged_depth_at_least},
      {"methods", "class", &m.methods.class_name},
      {"methods", "name", &m.methods.name},
      {"methods", "descriptor", &m.methods.descriptor},
      {"methods", "source", &m.methods.source},
      {"methods", "loader", &m.methods.loader},
      {"methods", "stable_class", &m.methods.stable_class},
      {"sites", "method", &m.sites.method},
      {"sites", "bci", &m.sites.bci},
      {"sites", "line", &m.sites.line},
      {"slice_totals", "keep", &m.slices.keep},
      {"slice_totals", "in_part", &m.slices.in_part},
      {"slice_totals", "open", &m.slices.open},
      {"slice_totals", "tasks_open", &m.slices.tasks_open},
      {"slice_totals", "tasks_late", &m.slices.tasks_late},
      {"slice_methods", "method", &m.slices.sums.method},
      {"slice_methods", "slices", &m.slices.sums.slices},
      {"slice_methods", "calls", &m.slices.sums.calls},
      {"slice_methods", "wall_ns", &m.slices.sums.wall_ns},
      {"slices", "id", &m.slices.kept.id},
      {"slices", "method", &m.slices.kept.method},
      {"slices", "thread", &m.slices.kept.thread},
      {"slices", "kept", &m.slices.kept.kept},
      {"slices", "start_ns", &m.slices.kept.start_ns},
      {"slices", "wall_ns", &m.slices.kept.wall_ns},
      {"slices", "cpu_ns", &m.slices.kept.cpu_ns},
      {"slices", "calls", &m.slices.kept.calls},
      {"slices", "calls_left_out", &m.slices.kept.calls_left_out},
      {"slices", "contexts", &m.slices.kept.contexts},
      {"slices", "trace", &m.slices.kept.trace},
      {"slices", "span", &m.slices.kept.span},
      {"slice_contexts", "node", &m.slices.contexts.node},
      {"slice_contexts", "calls", &m.slices.contexts.calls},
      {"slice_calls", "of", &m.slices.calls.of},
      {"slice_calls", "method", &m.slices.calls.method},
      {"slice_calls", "slices", &m.slices.calls.slices},
      {"slice_calls", "calls", &m.slices.calls.calls},
      {"slice_calls", "most", &m.slices.calls.most},
      {"slice_calls", "most_in", &m.slices.calls.most_in},
      {"slice_calls", "buckets", &m.slices.calls.buckets},
      {"slice_buckets", "least", &m.slices.buckets.least},
      {"slice_buckets", "slices", &m.slices.buckets.slices},
      {"slice_measures", "name", &m.slices.measures.name},
      {"slice_measures", "unit", &m.slices.measures.unit},
      {"slice_measures", "sampled", &m.slices.measures.sampled},
      {"slice_method_amounts", "of", &m.slices.sum_amounts.of},
      {"slice_method_amounts", "measure", &m.slices.sum_amounts.measure},
      {"slice_method_amounts", "amount", &m.slices.sum_amounts.amount},
      {"slice_amounts", "of", &m.slices.kept_amounts.of},
      {"slice_amounts", "measure", &m.slices.kept_amounts.measure},
      {"slice_amounts", "amount", &m.slices.kept_amounts.amount},
      {"slice_tasks", "of", &m.slices.tasks.of},
      {"slice_tasks", "node", &m.slices.tasks.node},
      {"slice_tasks", "tasks", &m.slices.tasks.tasks},
      {"slice_tasks", "calls", &m.slices.tasks.calls},
      {"nodes", "parent", &m.nodes.parent},
      {"nodes", "method", &m.nodes.method},
      {"nodes", "site", &m.nodes.site},
      {"nodes", "calls", &m.nodes.calls},
  };
}

Target ModelSax::column_target(const std::string& name) {
  if (group_ == "options") return &model_.options;
  for (const Known& known : known_) {
    if (group_ == known.group && name == known.name) return known.target;
  }
  if (group_ == "nodes") {
    if (ReportModel::Measure* measure = model_.find_measure(name)) return &measure->values;
  }
  return Target();
}

Target ModelSax::item_target(const std::string& name) {
  if (group_ == "threads") {
    ReportModel::Thread& thread = model_.threads.back();
    if (name == "id") return &thread.id;
    if (name == "name") return &thread.name;
    if (name == "node") return &thread.node;
    if (name == "calls") return &thread.calls;
    if (name == "threads") return &thread.threads;
  } else if (group_ == "metrics") {
    ReportModel::Measure& measure = model_.measures.back();
    if (name == "name") return &measure.name;
    if (name == "unit") return &measure.unit;
    if (name == "lost") return &measure.lost;
    if (name == "threads") return &measure.of_threads;
  } else {
    ReportModel::Skipped& skipped = model_.skipped.back();
    if (name == "class") return &skipped.class_name;
    if (name == "method") return &skipped.method;
    if (name == "reason") return &skipped.reason;
  }
  return Target();
}

ModelSax::Form ModelSax::form() const {
  if (around_.empty()) return Form::kReport;
  if (around_.back() == Form::kColumn) return Form::kValue;
  if (around_.back() == Form::kItemList) return Form::kItem;
  if (around_.back() == Form::kReport) {
    for (const char* group : {"program", "options", "timeline", "merged", "totals", "methods",
                              "sites", "nodes", "slice_totals", "slice_methods", "slices",
                              "slice_contexts", "slice_calls", "slice_buckets", "slice_measures",
                              "slice_method_amounts", "slice_amounts", "slice_tasks"}) {
      if (name_ == group) return Form::kGroup;
    }
    for (const char* list : {"threads", "metrics", "skipped"}) {
      if (name_ == list) return Form::kItemList;
    }
  }
  const auto form_for = [](auto to) {
    using T = std::remove_pointer_t<decltype(to)>;
    if (std::is_same_v<T, std::monostate> || std::is_same_v<T, std::map<std::string, std::string>>)
      return Form::kAnything;
    return std::is_arithmetic_v<T> || std::is_same_v<T, std::string> ? Form::kValue : Form::kColumn;
  };
  return std::visit(form_for, target_);
}

bool ModelSax::unexpected(std::string_view type) {
  const std::string found(type);
  if (around_.empty()) return fail("expected a report object, found " + found);
  return fail("unexpected " + found);
}

bool ModelSax::key(string_t& name) {
  if (skipped_ > 0) return true;
  if (around_.size() == 1 && name == "compared") {
    status_ = Status::error(
        Fault::kMalformed, "is a comparison, which only its page shows: compare the reports again");
    return false;
  }
  target_ = around_.back() == Form::kItem ? item_target(name) : column_target(name);
  name_ = name;
  return true;
}

bool ModelSax::open(std::string_view type) {
  const Form form = skipped_ > 0 ? Form::kAnything : this->form();
  if (form == Form::kAnything) {
    ++skipped_;
    return true;
  }
  const bool is_list = form == Form::kItemList || form == Form::kColumn;
  if (form == Form::kValue || is_list != (type == "an array")) return unexpected(type);
  if (form == Form::kGroup || form == Form::kItemList) {
    group_ = std::exchange(name_, {});
    rows_ = 0;
  }
  if (form == Form::kItem) add_item();
  if (form == Form::kColumn) begin_column();
  around_.push_back(form);
  return true;
}

bool ModelSax::close() {
  if (skipped_ > 0) {
    --skipped_;
    return true;
  }
  if (around_.back() == Form::kGroup || around_.back() == Form::kItemList) group_.clear();
  if (around_.back() == Form::kColumn) end_column();
  around_.pop_back();
  name_.clear();
  target_ = {};
  return true;
}

// Length of the number at the beginning of the text, with the comma behind it; 0 unless another number follows.
template <typename Number>
std::size_t length_of_item(std::string_view text, Number& value) {
  const char* const end = text.data() + text.size();
  const auto [behind, error] = std::from_chars(text.data(), end, value);
  const auto length = static_cast<std::size_t>(behind - text.data());
  const bool is_in_list = error == std::errc() && length + 1 < text.size() && text[length] == ',';
  if (!is_in_list ||
      (text[length + 1] != '-' && (text[length + 1] < '0' || text[length + 1] > '9')))
    return 0;
  const std::size_t sign = text[0] == '-' ? 1 : 0;
  return text[sign] == '0' && length > sign + 1 ? 0 : length + 1;
}

// Takes the numbers of a list from the parser's input. The last one is the parser's, and so is all from something else
// on: it judges what is no number of this type.
template <std::integral Number>
void ModelSax::take_numbers(std::vector<Number>& to) {
  constexpr std::size_t kLongest = 24;  // a number, its comma, and what follows
  for (;;) {
    if (bytes_.rest().size() < kLongest) bytes_.extend_rest();
    std::string_view rest = bytes_.rest();
    const std::size_t all = rest.size();
    Number value{};
    for (std::size_t length = 0; (length = length_of_item(rest, value)) != 0;) {
      to.push_back(value);
      rest.remove_prefix(length);
    }
    bytes_.take(all - rest.size());
    if (rest.size() >= kLongest || rest.size() == all) return;
  }
}

void ModelSax::begin_column() {
  const bool is_of_group = around_.back() == Form::kGroup;
  std::visit(
      [&](auto to) {
        if constexpr (requires { to->shrink_to_fit(); }) {
          if (is_of_group) to->reserve(rows_);
        }
        if constexpr (requires { take_numbers(*to); }) {
          if (takes_numbers_) take_numbers(*to);
        }
      },
      target_);
}

void ModelSax::end_column() {
  std::visit(
      [this](auto to) {
        if constexpr (requires { to->shrink_to_fit(); }) to->shrink_to_fit();
        if constexpr (requires { to->push_back({}); }) rows_ = to->size();
      },
      target_);
}

void ModelSax::add_item() {
  if (group_ == "threads") {
    model_.threads.emplace_back();
  } else if (group_ == "metrics") {
    model_.measures.emplace_back();
  } else {
    model_.skipped.emplace_back();
  }
}

// `text`: how an option spells it.
template <typename Value, typename Text>
bool ModelSax::value(Value& v, const char* type, Text text) {
  if (skipped_ > 0) return true;
  const Form form = this->form();
  if (form == Form::kAnything) {
    if (auto* options = std::get_if<std::map<std::string, std::string>*>(&target_)) {
      (**options)[name_] = text();
    }
    return true;
  }
  if (form != Form::kValue) return unexpected(type);
  const Stored stored = std::visit(
      [&](auto to) {
        if constexpr (std::is_pointer_v<decltype(to)>) return store(*to, v);
        return Stored::kWrongType;
      },
      target_);
  if (stored == Stored::kOutOfRange) return fail(text() + " is out of range");
  return stored == Stored::kYes || unexpected(type);
}

bool ModelSax::parse_error(std::size_t, const std::string&,
                           const nlohmann::detail::exception& error) {
  status_ = Status::error(Fault::kMalformed, "not valid JSON: " + json_trouble(error.what()));
  return false;
}

Status ModelSax::check_schema() const {
  if (schema_ == kReportSchema) return {};
  if (schema_.empty())
    return Status::error(Fault::kMalformed, "not a Copse report: it has no \"schema\"");
  if (schema_ == "copse.cct/1") {
    return Status::error(
        Fault::kUnsupported,
        "is of schema copse.cct/1, which this version does not read: record it again");
  }
  constexpr std::size_t kShown = 40;
  const std::string shown = schema_.size() > kShown ? schema_.substr(0, kShown) + "..." : schema_;
  if (schema_.rfind("copse.cct/", 0) == 0) {
    return Status::error(
        Fault::kUnsupported,
        "schema " + shown + " is of a newer Copse; this one reads " + kReportSchema);
  }
  return Status::error(Fault::kMalformed,
                       "not a calling context report: its schema is \"" + shown + "\"");
}

ReportModel ModelSax::take_model() {
  if (model_.shown.empty()) model_.shown = measure_to_show(model_);
  if (model_.methods.stable_class.empty())
    model_.methods.stable_class.resize(model_.methods.name.size());
  return std::move(model_);
}

// `takes_numbers`: as ModelSax has it. A message is right without.
Result<ReportModel> read(Bytes& bytes, const std::string& name, bool takes_numbers) {
  const auto failed = [&](Fault fault, const std::string& why) {
    return Status::error(fault, name + ": " + why);
  };
  if (bytes.error() != 0) return failed(Fault::kSystem, std::strerror(bytes.error()));
  if (bytes.at_end()) return failed(Fault::kMalformed, "is empty");
  ModelSax sax(bytes, takes_numbers);
  const bool parsed = nlohmann::json::sax_parse(ByteIterator(bytes), ByteIterator(), &sax);
  if (bytes.error() != 0) return failed(Fault::kSystem, std::strerror(bytes.error()));
  if (!parsed)
    return sax.status().ok() ? failed(Fault::kMalformed, "not a report")
                             : sax.status().behind(name + ": ");
  if (Status status = sax.check_schema(); !status.ok()) return status.behind(name + ": ");
  ReportModel model = sax.take_model();
  if (Status status = check_invariants(model); !status.ok()) return status.behind(name + ": ");
  return model;
}

}  // namespace

Result<ReportModel> read_json(std::string_view text, const std::string& name) {
  Bytes bytes(text);
  Result<ReportModel> model = read(bytes, name, true);
  if (model.ok()) return model;
  Bytes again(text);
  return read(again, name, false);
}

Result<ReportModel> read_json_file(const std::string& path) {
  const Descriptor file(open_above_standard(path.c_str(), O_RDONLY));
  if (!file) return Status::error(Fault::kSystem, path + ": " + std::strerror(errno));
  constexpr std::size_t kBlockBytes = 1 << 16;
  const bool can_be_read_again = ::lseek(file.number(), 0, SEEK_CUR) == 0;
  Bytes bytes(file.number(), kBlockBytes);
  Result<ReportModel> model = read(bytes, path, can_be_read_again);
  if (model.ok() || !can_be_read_again || ::lseek(file.number(), 0, SEEK_SET) != 0) return model;
  Bytes again(file.number(), kBlockBytes);
  return read(again, path, false);
}

}  // namespace copse::report
