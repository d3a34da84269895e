#include "trace/text_reader.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/call_record.h"
#include "trace/text_form.h"

namespace copse::trace {
namespace {

// Words up to a comment.
std::vector<std::string_view> words_of(std::string_view line) {
  constexpr std::string_view kSpace = " \t\r";
  line = line.substr(0, line.find('#'));
  std::vector<std::string_view> words;
  for (std::size_t at = 0;;) {
    at = line.find_first_not_of(kSpace, at);
    if (at == std::string_view::npos) return words;
    const std::size_t end = std::min(line.find_first_of(kSpace, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
}

template <typename Number>
bool parse(std::string_view word, Number& number) {
  const char* const last = word.data() + word.size();
  const auto [end, error] = std::from_chars(word.data(), last, number);
  return error == std::errc{} && end == last;
}

bool is_number(std::string_view word) {
  return word.find_first_not_of("0123456789") == std::string_view::npos;
}

// For messages: one line, whatever the file holds.
std::string shown(std::string_view word) {
  constexpr std::size_t kShown = 60;
  std::string text(1, '\'');
  text += text_word(word.substr(0, kShown));
  text += word.size() > kShown ? "...'" : "'";
  return text;
}

bool parse_text(std::string_view word, std::string& text) {
  std::optional<std::string> parsed = text_of_word(word);
  if (parsed) text = *std::move(parsed);
  return parsed.has_value();
}

}  // namespace

TextReader::TextReader(std::unique_ptr<wire::ByteSource> bytes)
    : bytes_(std::move(bytes)), lines_(*bytes_) {}

Result<std::optional<EventBatch>> TextReader::next() {
  events_ = std::exchange(held_, {});
  thread_ = held_thread_;
  while (failure_.ok() && held_.empty() && events_.size() < kBatchEvents) {
    const Result<std::optional<std::string_view>> line = lines_.next();
    if (!line.ok()) {
      failure_ = line.status();
      break;
    }
    std::string why;
    if (line->has_value()) {
      why = take_line(**line);
    } else if (header_seen_) {
      break;
    } else {
      why = "not a trace";
    }
    if (!why.empty()) {
      failure_ =
          Status::error(Fault::kMalformed,
                        bytes_->name() + ": at byte " + std::to_string(lines_.offset()) +
                            " (line " + std::to_string(lines_.number()) + "): " + std::move(why));
    }
  }
  if (!events_.empty()) {
    std::swap(events_, given_);
    events_.clear();
    return std::optional(EventBatch{thread_, given_});
  }
  if (!failure_.ok()) return failure_;
  return std::optional<EventBatch>();
}

Status TextReader::rewind() {
  if (Status status = lines_.rewind(); !status) return status;
  header_seen_ = events_begun_ = false;
  failure_ = Status();
  threads_live_.clear();
  events_.clear();
  held_.clear();
  return {};
}

std::string TextReader::take_line(std::string_view line) {
  const Words words = words_of(line);
  if (words.empty()) return {};
  if (!header_seen_) {
    header_seen_ = words_of(kTextHeader) == words;
    return header_seen_
               ? ""
               : "not a trace: a text trace begins with '" + std::string(kTextHeader) + "'";
  }
  if (is_number(words[0])) return take_event(words);
  if (lines_.offset() < tables_read_until_) return {};
  std::string why;
  if (words[0] == "method") {
    why = take_method(words);
  } else if (words[0] == "site") {
    why = take_site(words);
  } else if (words[0] == "thread") {
    why = take_thread(words);
  } else if (words[0] == "program") {
    why = take_program(words);
  } else if (words[0] == "end") {
    why = take_end(words);
  } else {
    why = shown(words[0]) +
          " begins no line; write a thread's number, method, site, thread, program or end";
  }
  if (why.empty()) tables_read_until_ = lines_.offset() + 1;
  return why;
}

std::string TextReader::take_event(const Words& words) {
  std::uint32_t number = 0;
  if (!parse(words[0], number)) return shown(words[0]) + " is not a thread's number";
  const ThreadIndex thread{number};
  const std::string_view verb = words.size() < 2 ? "" : words[1];
  Event event{};
  std::size_t most_words = 3;
  std::string why;
  if (verb == "call") {
    event.kind = EventKind::kCall;
    if (words.size() < 3) return "call of no method";
    why = parse_call(words[2], threads_live_.of(thread).running(), event);
  } else if (verb == "return" || verb == "unwind") {
    event.kind = verb == "return" ? EventKind::kReturn : EventKind::kUnwind;
    event.value = 1;
    if (words.size() > 2 && !parse(words[2], event.value)) {
      why = shown(words[2]) + " is not a number of frames";
    }
  } else if (verb == "mark") {
    event.kind = EventKind::kMark;
    if (words.size() < 3 || !parse(words[2], event.value)) why = "mark needs a number";
  } else if (verb == "start" || verb == "end") {
    event.kind = verb == "start" ? EventKind::kThreadStart : EventKind::kThreadEnd;
    most_words = 2;
  } else {
    why = shown(verb) + " is no event; write start, call, return, unwind, mark or end";
  }
  if (why.empty() && words.size() > most_words) why = shown(words[most_words]) + " is too much";
  return why.empty() ? add(thread, event) : why;
}

std::string TextReader::add(ThreadIndex thread, const Event& event) {
  ThreadFrames& frames = threads_live_.of(thread);
  const bool starts = !frames.started && event.kind != EventKind::kThreadStart;
  if (starts) frames.started = true;
  if (std::string why = frames.apply(event); !why.empty()) return why;
  events_begun_ = true;
  const bool fits = events_.empty() || thread_ == thread;
  (fits ? thread_ : held_thread_) = thread;
  std::vector<Event>& events = fits ? events_ : held_;
  if (starts) events.push_back({EventKind::kThreadStart, kNoMethod, 0});
  events.push_back(event);
  return {};
}

// METHOD or METHOD@SITE
std::string TextReader::parse_call(std::string_view word, MethodId caller, Event& event) const {
  const std::size_t at = word.rfind('@');
  std::uint16_t site = 0;
  if (at != std::string_view::npos && (!parse(word.substr(at + 1), site) || site == 0)) {
    return shown(word.substr(at + 1)) + " is not a call site from 1 to 65535";
  }
  MethodId callee{};
  if (std::string why = parse_method(word.substr(0, at), callee); !why.empty()) return why;
  event.caller = caller;
  event.value = context_key(SiteOrdinal{site}, callee);
  return {};
}

std::string TextReader::parse_method(std::string_view word, MethodId& method) const {
  if (is_number(word)) {
    std::uint32_t id = 0;
    if (parse(word, id) && id != 0 && id <= kMaxMethodId) {
      method = MethodId{id};
      return {};
    }
    return shown(word) + " is not a method's number from 1 to " + std::to_string(kMaxMethodId);
  }
  std::string name;
  if (!parse_text(word, name)) return shown(word) + " has a % without two hexadecimal digits";
  const auto found = method_ids_.find(name);
  if (found == method_ids_.end()) return shown(word) + " is the name of no method above";
  if (found->second == kNoMethod) return shown(word) + " names several methods; give the number";
  method = found->second;
  return {};
}

// method ID CLASS NAME [DESCRIPTOR [SOURCE [LOADER [STABLE]]]]
std::string TextReader::take_method(const Words& words) {
  std::size_t id = 0;
  if (words.size() < 4 || words.size() > 8) {
    return "method needs a number, a class, a name and at most descriptor, source, loader and "
           "stable class";
  }
  if (!parse(words[1], id) || id != methods_.size() || id > kMaxMethodId) {
    return shown(words[1]) + ": methods are numbered in order, this is " +
           std::to_string(methods_.size());
  }
  MethodName method;
  std::string* const fields[] = {&method.class_name, &method.name,   &method.descriptor,
                                 &method.source,     &method.loader, &method.stable_class};
  for (std::size_t i = 2; i < words.size(); ++i) {
    if (!parse_text(words[i], *fields[i - 2])) {
      return shown(words[i]) + " has a % without two hexadecimal digits";
    }
  }
  const auto [known, is_new] =
      method_ids_.try_emplace(method.class_name + "." + method.name, MethodId(id));
  if (!is_new) known->second = kNoMethod;
  methods_.push_back(std::move(method));
  return {};
}

// site METHOD@ORDINAL BCI LINE
std::string TextReader::take_site(const Words& words) {
  if (words.size() != 4) return "site needs METHOD@ORDINAL, bytecode index and line";
  Event place{};
  if (std::string why = parse_call(words[1], kNoMethod, place); !why.empty()) return why;
  const std::uint32_t id = raw(method_of(place.value));
  if (id >= methods_.size()) return shown(words[1]) + ": the method is not described above";
  std::vector<SiteName>& sites = methods_[id].sites;
  if (raw(site_of(place.value)) != sites.size() + 1) {
    return shown(words[1]) + ": sites of a method are numbered in order, this is " +
           std::to_string(sites.size() + 1);
  }
  SiteName site;
  if (!parse(words[2], site.bci) || !parse(words[3], site.line)) {
    return "bytecode index and line of a site are numbers";
  }
  sites.push_back(site);
  return {};
}

// thread INDEX RUNTIME-ID NAME
std::string TextReader::take_thread(const Words& words) {
  std::uint32_t index = 0;
  std::int64_t id = 0;
  std::string name;
  if (words.size() != 4 || !parse(words[1], index) || !parse(words[2], id) ||
      !parse_text(words[3], name)) {
    return "thread needs its number, the runtime's number for it and a name";
  }
  ThreadInfo& row = thread_row(ThreadIndex{index});
  row.runtime_id = id;
  row.name = std::move(name);
  return {};
}

std::string TextReader::take_program(const Words& words) {
  if (events_begun_) return "program belongs above the first event";
  if (!program_) program_.emplace();
  const std::string_view key = words.size() < 2 ? "" : words[1];
  std::vector<std::string> texts;
  for (std::size_t i = 2; i < words.size(); ++i) {
    if (!parse_text(words[i], texts.emplace_back())) return shown(words[i]) + " is not a text";
  }
  if (key == "command") {
    program_->command = std::move(texts);
  } else if (key == "pid" && words.size() == 3 && parse(words[2], program_->pid)) {
  } else if (key == "runtime" && texts.size() == 1) {
    program_->runtime = texts[0];
  } else if (key == "started" && texts.size() == 1) {
    program_->started = texts[0];
  } else if (key == "option" && texts.size() == 2) {
    program_->options[texts[0]] = texts[1];
  } else {
    return "program needs command WORD..., pid N, runtime TEXT, started TEXT or option KEY VALUE";
  }
  return {};
}

std::string TextReader::take_end(const Words& words) {
  if (!end_) end_.emplace();
  const std::string_view key = words.size() < 2 ? "" : words[1];
  SkippedInfo skipped;
  std::string note;
  std::uint32_t thread = 0;
  std::uint64_t calls = 0;
  if (key == "wall_ms" && words.size() == 3 && parse(words[2], end_->wall_ms)) {
  } else if (key == "calls" && words.size() == 5 && parse(words[2], end_->calls_seen) &&
             parse(words[3], end_->calls_lost) && parse(words[4], end_->packets)) {
  } else if (key == "thread" && words.size() == 4 && parse(words[2], thread) &&
             parse(words[3], calls)) {
    end_->threads.push_back({ThreadIndex{thread}, calls});
  } else if (key == "skipped" && words.size() == 5 && parse_text(words[2], skipped.class_name) &&
             parse_text(words[3], skipped.method) && parse_text(words[4], skipped.reason)) {
    end_->skipped.push_back(std::move(skipped));
  } else if (key == "note" && words.size() == 3 && parse_text(words[2], note)) {
    end_->notes.push_back(std::move(note));
  } else {
    return "end needs wall_ms X, calls SEEN LOST PACKETS, thread NUMBER CALLS, "
           "skipped CLASS METHOD REASON or note TEXT";
  }
  return {};
}

}  // namespace copse::trace
