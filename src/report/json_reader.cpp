#include "report/json_reader.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <variant>

#include "report/byte_stream_internal.h"
#include "report/json_trouble.h"
#include "report/metric_view.h"
#include "report/model_check.h"

namespace copse {
namespace {

// Where the value behind a key goes; a vector takes the items of an array.
using Target = std::variant<std::monostate, std::string*, std::int64_t*, std::uint64_t*, double*,
                            std::vector<std::string>*, std::vector<std::int32_t>*,
                            std::vector<std::uint64_t>*, std::map<std::string, std::string>*>;

// Follows the parser through the document: two levels of names lead to a target, anything else is
// skipped with everything below it.
class ModelSax final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit ModelSax(const Bytes& bytes) : bytes_(bytes) {
    model_.shown.clear();
    list_columns();
  }

  Status status() const { return status_; }
  // After the parse: is it a report at all, and of a version we read?
  Status check_schema() const;
  ReportModel take_model() { return std::move(model_); }

  bool null() override { return value_of_type("null"); }
  bool boolean(bool v) override { return text_value(v ? "true" : "false", "a boolean"); }
  bool number_integer(number_integer_t v) override { return integer(v); }
  bool number_unsigned(number_unsigned_t v) override { return integer(v); }
  bool number_float(number_float_t v, const string_t& text) override;
  bool string(string_t& v) override;
  bool binary(binary_t&) override { return value_of_type("binary data"); }
  bool start_object(std::size_t) override;
  bool key(string_t& name) override;
  bool end_object() override;
  bool start_array(std::size_t) override;
  bool end_array() override;
  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::detail::exception& error) override;

 private:
  struct Known {
    const char* group;
    const char* name;
    Target target;
  };
  enum class Place { kOutside, kTop, kGroup, kColumn, kItemList };

  bool fail(const std::string& why);
  bool value_of_type(const char* type);
  bool text_value(const std::string& text, const char* type);
  template <typename Integer>
  bool integer(Integer v);
  template <typename Integer>
  bool store(Integer v, std::optional<std::string>& trouble);
  void list_columns();
  Target column_target(const std::string& name);
  Target item_target(const std::string& name);
  std::string where() const;
  bool wants_column() const;
  bool is_item_list() const {
    return name_ == "threads" || name_ == "metrics" || name_ == "skipped";
  }
  // A known key whose value has one type; an option may hold anything, what is no text is skipped.
  bool has_one_form() const {
    return !std::holds_alternative<std::monostate>(target_) &&
           !std::holds_alternative<std::map<std::string, std::string>*>(target_);
  }

  const Bytes& bytes_;
  Status status_;
  ReportModel model_;
  std::vector<Known> known_;
  std::string schema_;
  Place place_ = Place::kOutside;
  bool in_item_ = false;       // inside an object of threads[], metrics[] or skipped[]
  std::uint64_t skipped_ = 0;  // open brackets of a part nobody asked for
  std::string group_, name_;   // the keys that lead here
  Target target_;
};

std::string ModelSax::where() const {
  std::string path = group_;
  if (!name_.empty()) path += (path.empty() ? "" : ".") + name_;
  return path;
}

bool ModelSax::fail(const std::string& why) {
  const std::string path = where();
  status_ = Status::error("near byte " + std::to_string(bytes_.offset()) + ": " +
                          (path.empty() ? "" : path + ": ") + why);
  return false;
}

// What the schema calls by a group and a name; items of threads[], metrics[] and skipped[] are
// found apart, because theirs move with each item.
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
      {"totals", "calls", &m.totals.calls},
      {"totals", "calls_of", &m.totals.calls_of},
      {"totals", "contexts", &m.totals.contexts},
      {"totals", "threads", &m.totals.threads},
      {"totals", "max_depth", &m.totals.max_depth},
      {"totals", "calls_seen", &m.totals.calls_seen},
      {"totals", "calls_lost", &m.totals.calls_lost},
      {"totals", "packets", &m.totals.packets},
      {"totals", "folded_calls", &m.totals.folded_calls},
      {"totals", "folded_contexts", &m.totals.folded_contexts},
      {"methods", "class", &m.methods.class_name},
      {"methods", "name", &m.methods.name},
      {"methods", "descriptor", &m.methods.descriptor},
      {"methods", "source", &m.methods.source},
      {"methods", "loader", &m.methods.loader},
      {"sites", "method", &m.sites.method},
      {"sites", "bci", &m.sites.bci},
      {"sites", "line", &m.sites.line},
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
    for (ReportModel::Metric& metric : model_.metrics) {
      if (metric.name == name) return &metric.values;
    }
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
    ReportModel::Metric& metric = model_.metrics.back();
    if (name == "name") return &metric.name;
    if (name == "unit") return &metric.unit;
    if (name == "lost") return &metric.lost;
  } else {
    ReportModel::Skipped& skipped = model_.skipped.back();
    if (name == "class") return &skipped.class_name;
    if (name == "method") return &skipped.method;
    if (name == "reason") return &skipped.reason;
  }
  return Target();
}

bool ModelSax::wants_column() const {
  return std::holds_alternative<std::vector<std::string>*>(target_) ||
         std::holds_alternative<std::vector<std::int32_t>*>(target_) ||
         std::holds_alternative<std::vector<std::uint64_t>*>(target_);
}

bool ModelSax::key(string_t& name) {
  if (skipped_ > 0) return true;
  target_ = in_item_ ? item_target(name) : column_target(name);
  name_ = name;
  return true;
}

bool ModelSax::start_object(std::size_t) {
  if (skipped_ > 0) {
    ++skipped_;
    return true;
  }
  switch (place_) {
    case Place::kOutside:
      place_ = Place::kTop;
      return true;
    case Place::kTop:
      if (name_ == "nodes" || name_ == "sites" || name_ == "methods" || name_ == "totals" ||
          name_ == "program" || name_ == "options") {
        group_ = std::exchange(name_, {});
        place_ = Place::kGroup;
        return true;
      }
      if (is_item_list()) return fail("expected an array of objects");
      break;
    case Place::kItemList:
      if (!in_item_) {
        in_item_ = true;
        if (group_ == "threads") {
          model_.threads.emplace_back();
        } else if (group_ == "metrics") {
          model_.metrics.emplace_back();
        } else {
          model_.skipped.emplace_back();
        }
        return true;
      }
      break;
    case Place::kGroup:
    case Place::kColumn:
      break;
  }
  if (has_one_form()) return value_of_type("an object");
  skipped_ = 1;
  return true;
}

bool ModelSax::end_object() {
  if (skipped_ > 0) {
    --skipped_;
    return true;
  }
  if (in_item_) {
    in_item_ = false;
  } else if (place_ == Place::kGroup) {
    place_ = Place::kTop;
    group_.clear();
  } else {
    place_ = Place::kOutside;
  }
  name_.clear();
  target_ = {};
  return true;
}

bool ModelSax::start_array(std::size_t) {
  if (skipped_ > 0) {
    ++skipped_;
    return true;
  }
  if (place_ == Place::kOutside) return fail("expected a report object, found an array");
  if (place_ == Place::kTop && is_item_list()) {
    group_ = std::exchange(name_, {});
    place_ = Place::kItemList;
    return true;
  }
  if ((place_ == Place::kTop || place_ == Place::kGroup) && wants_column()) {
    place_ = Place::kColumn;
    return true;
  }
  if (place_ == Place::kColumn || has_one_form()) {
    return value_of_type("an array");
  }
  skipped_ = 1;
  return true;
}

bool ModelSax::end_array() {
  if (skipped_ > 0) {
    --skipped_;
    return true;
  }
  if (place_ == Place::kColumn) {
    place_ = group_.empty() ? Place::kTop : Place::kGroup;
  } else {
    place_ = Place::kTop;
    group_.clear();
  }
  name_.clear();
  target_ = {};
  return true;
}

bool ModelSax::value_of_type(const char* type) {
  if (skipped_ > 0) return true;
  if (place_ == Place::kOutside)
    return fail(std::string("expected a report object, found ") + type);
  if (place_ == Place::kTop &&
      (name_ == "nodes" || name_ == "sites" || name_ == "methods" || name_ == "totals" ||
       name_ == "program" || name_ == "options" || is_item_list())) {
    return fail(std::string("unexpected ") + type);
  }
  if (place_ == Place::kItemList && !in_item_) return fail(std::string("unexpected ") + type);
  if (!has_one_form()) return true;  // not ours
  return fail(std::string("unexpected ") + type);
}

bool ModelSax::text_value(const std::string& text, const char* type) {
  if (skipped_ == 0) {
    if (auto* options = std::get_if<std::map<std::string, std::string>*>(&target_)) {
      (**options)[name_] = text;
      return true;
    }
  }
  return value_of_type(type);
}

bool ModelSax::string(string_t& v) {
  if (skipped_ > 0) return true;
  if (auto* one = std::get_if<std::string*>(&target_)) {
    **one = std::move(v);
    return true;
  }
  if (auto* many = std::get_if<std::vector<std::string>*>(&target_);
      many != nullptr && place_ == Place::kColumn) {
    (*many)->push_back(std::move(v));
    return true;
  }
  return text_value(v, "a string");
}

template <typename Integer>
bool ModelSax::store(Integer v, std::optional<std::string>& trouble) {
  const auto fits = [&]<typename T>(T*) {
    if (std::in_range<T>(v)) return true;
    trouble = std::to_string(v) + " is out of range";
    return false;
  };
  if (place_ == Place::kColumn) {
    if (auto* column = std::get_if<std::vector<std::int32_t>*>(&target_)) {
      if (fits(static_cast<std::int32_t*>(nullptr))) {
        (*column)->push_back(static_cast<std::int32_t>(v));
      }
      return true;
    }
    if (auto* column = std::get_if<std::vector<std::uint64_t>*>(&target_)) {
      if (fits(static_cast<std::uint64_t*>(nullptr))) {
        (*column)->push_back(static_cast<std::uint64_t>(v));
      }
      return true;
    }
    return false;
  }
  if (auto* one = std::get_if<std::int64_t*>(&target_)) {
    if (fits(*one)) **one = static_cast<std::int64_t>(v);
    return true;
  }
  if (auto* one = std::get_if<std::uint64_t*>(&target_)) {
    if (fits(*one)) **one = static_cast<std::uint64_t>(v);
    return true;
  }
  if (auto* one = std::get_if<double*>(&target_)) {
    **one = static_cast<double>(v);
    return true;
  }
  return false;
}

template <typename Integer>
bool ModelSax::integer(Integer v) {
  if (skipped_ > 0) return true;
  std::optional<std::string> trouble;
  if (store(v, trouble)) return trouble ? fail(*trouble) : true;
  return text_value(std::to_string(v), "a number");
}

bool ModelSax::number_float(number_float_t v, const string_t& text) {
  if (skipped_ > 0) return true;
  if (auto* one = std::get_if<double*>(&target_)) {
    **one = v;
    return true;
  }
  return text_value(text, "a fraction");
}

bool ModelSax::parse_error(std::size_t, const std::string&,
                           const nlohmann::detail::exception& error) {
  status_ = Status::error("not valid JSON: " + json_trouble(error.what()));
  return false;
}

Status ModelSax::check_schema() const {
  constexpr std::string_view kOurs = "copse.cct/1";
  if (schema_ == kOurs) return {};
  if (schema_.empty()) return Status::error("not a Copse report: it has no \"schema\"");
  constexpr std::size_t kShown = 40;
  const std::string shown = schema_.size() > kShown ? schema_.substr(0, kShown) + "..." : schema_;
  if (schema_.rfind("copse.cct/", 0) == 0) {
    return Status::error("schema " + shown + " is of a newer Copse; this one reads " +
                         std::string(kOurs));
  }
  return Status::error("not a calling context report: its schema is \"" + shown + "\"");
}

void add_what_older_reports_lack(ReportModel& model) {
  const auto encoder = model.options.find("encoder");
  const bool counts_marks = encoder != model.options.end() && !encoder->second.empty() &&
                            !model.options.contains("token-every");
  if (model.shown.empty()) {
    model.shown = metric_to_show(model);
    if (counts_marks) model.totals.calls_of = kMarkedMethods;
  }
}

Result<ReportModel> read(Bytes& bytes, const std::string& name) {
  const auto failed = [&](const std::string& why) { return Status::error(name + ": " + why); };
  if (bytes.error() != 0) return failed(std::strerror(bytes.error()));
  if (bytes.at_end()) return failed("is empty");
  ModelSax sax(bytes);
  const bool parsed = nlohmann::json::sax_parse(ByteIterator(bytes), ByteIterator(), &sax);
  if (bytes.error() != 0) return failed(std::strerror(bytes.error()));
  if (!parsed) return failed(sax.status().ok() ? "not a report" : sax.status().message());
  if (Status status = sax.check_schema(); !status.ok()) return failed(status.message());
  ReportModel model = sax.take_model();
  add_what_older_reports_lack(model);
  if (Status status = check_invariants(model); !status.ok()) return failed(status.message());
  return model;
}

}  // namespace

Result<ReportModel> read_json(std::string_view text, const std::string& name) {
  Bytes bytes(text);
  return read(bytes, name);
}

Result<ReportModel> read_json_file(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return Status::error(path + ": " + std::strerror(errno));
  constexpr std::size_t kBlockBytes = 1 << 16;
  Bytes bytes(descriptor, kBlockBytes);
  Result<ReportModel> model = read(bytes, path);
  ::close(descriptor);
  return model;
}

}  // namespace copse
