// copse decode FILE TOKEN...: what an encoder wrote with an event, as the context it means.
//
// FILE tells what its tokens are: of a run's id file numbers, as copse.Context.id() gives them; of
// an encoder's saved state hex digits. ID@THREAD is an id that a thread had, with Java's number of it.
//
// One line per token: frames entry first, each with the line (or `#ordinal`) of the call it makes,
// `?` for a token that does not decode. In front of a thread's context are those in which it, and
// the threads before it, were started. What is wrong with the first of those is the error.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>

#include "agent/output_path.h"
#include "base/grouped.h"
#include "base/printable.h"
#include "base/shell_word.h"
#include "cli/commands.h"
#include "cli/context_text.h"
#include "cli/file_kind.h"
#include "cli/messages.h"
#include "cli/progress.h"
#include "encoders/ids/id_file.h"
#include "encoders/replay/state_file.h"
#include "report/model/output.h"

namespace copse::cli {
namespace {

using encoders::Token;

constexpr std::size_t kShownDigits = 40;

struct DecodeArguments {
  std::string file;
  std::vector<std::string> tokens;
  std::string token_file;  // "-": standard input
};

// An id is a 64-bit number that Java prints with a sign.
Result<std::uint64_t> id_from(const std::string& text) {
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  std::int64_t with_sign = 0;
  std::uint64_t id = 0;
  if (const auto read = std::from_chars(begin, end, with_sign);
      read.ec == std::errc{} && read.ptr == end) {
    id = static_cast<std::uint64_t>(with_sign);
  } else if (const auto again = std::from_chars(begin, end, id);
             again.ec != std::errc{} || again.ptr != end) {
    return Status::error(Fault::kMalformed, "not a number");
  }
  if (id == 0)
    return Status::error(Fault::kNotFound, "no id: 0 is what a program gets without one");
  return id;
}

// The context of a token, and those of the starts that lead to its thread.
struct Decoded {
  struct Start {
    CallPath context;
    SiteOrdinal site;
    std::int64_t thread;
  };
  std::vector<Start> starts;
  CallPath context;
};

// Decoder of tokens, and the names of the methods in the contexts.
struct Tables {
  std::function<Result<Decoded>(const std::string& token)> decode;
  std::vector<MethodName> methods;
};

Result<Decoded> decoded(Result<CallPath> context) {
  if (!context.ok()) return context.status();
  return Decoded{{}, std::move(context).value()};
}

// Decodes an id of the thread that Java numbers `thread`.
Result<Decoded> decoded(const ids::IdFile& file, std::uint64_t id, std::string_view thread) {
  Result<Decoded> token = decoded(file.decode(id));
  if (!token.ok()) return token;
  std::int64_t number = 0;
  const char* const end = thread.data() + thread.size();
  const auto read = std::from_chars(thread.data(), end, number);
  if (read.ec != std::errc{} || read.ptr != end || number <= 0) {
    return Status::error(Fault::kMalformed, "not the number of a thread behind @");
  }
  for (const ids::ThreadOrigin& origin : file.threads.leading_to(number)) {
    Result<CallPath> context = file.decode(origin);
    if (!context.ok()) return context.status();
    token->starts.push_back({std::move(context).value(), origin.site, origin.thread});
  }
  return token;
}

Result<Tables> state_of_encoder(const std::string& path) {
  Result<encoders::StateFile> read = encoders::read_state_file(path);
  if (!read.ok()) return read.status();
  const auto file = std::make_shared<const encoders::StateFile>(std::move(read).value());
  return Tables{[file](const std::string& text) -> Result<Decoded> {
                  const Result<Token> token = Token::from_hex(text);
                  if (!token.ok()) return token.status();
                  return decoded(file->encoder->decode(*token));
                },
                file->methods};
}

Result<Tables> tables_of_run(const std::string& path) {
  Result<ids::IdFile> read = ids::read_id_file(path);
  if (!read.ok()) return read.status();
  const auto file = std::make_shared<const ids::IdFile>(std::move(read).value());
  return Tables{[file](const std::string& text) -> Result<Decoded> {
                  const std::size_t at = text.find('@');
                  const Result<std::uint64_t> id = id_from(text.substr(0, at));
                  if (!id.ok()) return id.status();
                  if (at == std::string::npos) return decoded(file->decode(*id));
                  return decoded(*file, *id, std::string_view(text).substr(at + 1));
                },
                file->methods};
}

class Decoder {
 public:
  Decoder(const Tables& tables, report::Output& out)
      : tables_(tables), text_(tables.methods), out_(out) {}

  // `where`: begins the message about this token.
  void decode(const std::string& text, const std::string& where) {
    const Result<Decoded> token = tables_.decode(text);
    if (!token.ok()) return note_failure(token.status().behind(where + ": "));
    for (const auto& [context, site, thread] : token->starts) {
      if (!context.empty()) out_.put(text_(context, site) + ';');
      out_.put("(starts thread " + std::to_string(thread) + ");");
    }
    out_.put(text_(token->context));
    out_.put('\n');
  }

  Status status() const {
    if (failures_ == 0) return {};
    const std::string more =
        failures_ == 1 ? "" : " (and " + counted(failures_ - 1, "more token") + ")";
    return Status::error(first_failure_.fault(), first_failure_.message() + more);
  }

 private:
  void note_failure(const Status& failure) {
    out_.put("?\n");
    if (failures_++ == 0) first_failure_ = failure;
  }

  const Tables& tables_;
  const ContextText text_;
  report::Output& out_;
  std::uint64_t failures_ = 0;
  Status first_failure_;
};

std::string shortened(const std::string& token) {
  const std::string text = printable(token.substr(0, kShownDigits));
  return token.size() <= kShownDigits ? text : text + "...";
}

Status decode_lines(const std::string& name, Decoder& decoder) {
  std::ifstream file;
  const bool from_stdin = name == "-";
  if (!from_stdin) file.open(name);
  std::istream& in = from_stdin ? std::cin : file;
  if (!in) return Status::error(Fault::kSystem, name + ": cannot be read");
  std::string line;
  for (std::uint64_t number = 1; std::getline(in, line); ++number) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    decoder.decode(line, name + ": line " + std::to_string(number));
  }
  return in.bad() ? Status::error(Fault::kSystem, name + ": cannot be read") : Status();
}

// Says which id file lies beside a report, where it is taken for one.
Status check_has_tables(const std::string& path) {
  const FileKind kind = kind_of_file(path);
  const std::string ids = agent::id_file_path(path);
  if ((kind == FileKind::kReport || kind == FileKind::kPage) &&
      kind_of_file(ids) == FileKind::kIdFile) {
    return Status::error(
        Fault::kMalformed,
        path + ": is the report of a run, whose ids have a file of their own; copse decode " +
            shell_path(ids) + " NUMBER... reads them");
  }
  return check_kind(path, {FileKind::kIdFile, FileKind::kStateFile},
                    "the id file of a run or the saved state of an encoder");
}

int decode(const DecodeArguments& arguments) {
  if (Status status = check_has_tables(arguments.file); !status) return failure(status);
  auto progress = std::make_unique<Progress>("reading " + arguments.file);
  const Result<Tables> tables = kind_of_file(arguments.file) == FileKind::kStateFile
                                    ? state_of_encoder(arguments.file)
                                    : tables_of_run(arguments.file);
  progress.reset();
  if (!tables.ok()) return failure(tables);

  // "copse decode ... | head" is no error: the write fails, and we end.
  report::DescriptorOutput out(STDOUT_FILENO, "standard output");
  Decoder decoder(*tables, out);
  for (const std::string& token : arguments.tokens) decoder.decode(token, shortened(token));
  Status read;
  if (!arguments.token_file.empty()) read = decode_lines(arguments.token_file, decoder);
  const Status written = out.finish();
  if (!read.ok()) return failure(read);
  if (!decoder.status().ok()) return failure(decoder.status());
  return written.ok() || out.reader_gone() ? 0 : failure(written);
}

}  // namespace

void add_decode_command(CLI::App& app, int& exit_status) {
  CLI::App* command =
      app.add_subcommand("decode", "Turn context ids and encoders' tokens back into contexts");
  const auto arguments = std::make_shared<DecodeArguments>();
  command
      ->add_option("file", arguments->file,
                   "The id file beside a run's report, or what copse validate --save wrote: "
                   "NAME.state")
      ->required();
  command->add_option(
      "token", arguments->tokens,
      "Ids as copse.Context.id() gives them, numbers, also below 0; ID@THREAD adds the contexts "
      "that led to the start of the thread of this number. With NAME.state: tokens, as hex digits");
  command
      ->add_option("--tokens", arguments->token_file,
                   "File with one of these per line; - for standard input")
      ->type_name("FILE");
  command->callback([arguments, &exit_status] {
    if (arguments->tokens.empty() && arguments->token_file.empty()) {
      exit_status = usage_error(
          "decode: no id or token given; name some behind the file, or a file of them with "
          "--tokens FILE");
    } else {
      exit_status = decode(*arguments);
    }
  });
}

}  // namespace copse::cli
