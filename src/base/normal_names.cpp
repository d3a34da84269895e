#include "base/normal_names.h"

#include <algorithm>
#include <cctype>
#include <optional>

namespace copse {
namespace {

using Set = bool (*)(char);

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }
bool is_hex_or_bar(char c) { return is_hex(c) || c == '_'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_alphanumeric(char c) { return is_digit(c) || is_letter(c); }

// Where the characters of the set begin with which the text ends.
std::size_t start_of_tail(std::string_view text, Set set) {
  std::size_t at = text.size();
  while (at > 0 && set(text[at - 1])) --at;
  return at;
}

// Length of the text before a number at its end that follows `before`; nothing when there is none.
std::optional<std::size_t> before_number(std::string_view text, std::string_view before) {
  const std::size_t at = start_of_tail(text, is_digit);
  if (at == text.size() || !text.substr(0, at).ends_with(before)) return std::nullopt;
  return at;
}

// In the place of each run of the set that follows the marker a star.
void star_after(std::string& text, std::string_view marker, Set set) {
  for (std::size_t at = text.find(marker); at != text.npos; at = text.find(marker, at)) {
    const std::size_t run = at + marker.size();
    std::size_t end = run;
    while (end < text.size() && set(text[end])) ++end;
    if (end > run) text.replace(run, end - run, "*");
    at = end > run ? run + 1 : at + 1;
  }
}

// Returns the length without the addresses in names of hidden classes:
// Foo$$Lambda/0x00007f1f60007c08, LambdaForm$MH/1234567.
std::size_t length_without_addresses(std::string_view name) {
  for (;;) {
    const std::size_t number = start_of_tail(name, is_digit);
    if (number < name.size() && number > 0 && name[number - 1] == '/') {
      name = name.substr(0, number - 1);
      continue;
    }
    const std::size_t address = start_of_tail(name, is_hex);
    if (address == name.size() || address < 3 || name.substr(address - 2, 2) != "0x" ||
        std::string_view("/.+").find(name[address - 3]) == std::string_view::npos) {
      return name.size();
    }
    name = name.substr(0, address - 3);
  }
}

// jdk.proxy2.$Proxy12, com.sun.proxy.$Proxy12 (before JDK 16), pkg.$Proxy12.
void normalise_proxy(std::string& name) {
  const auto number = before_number(name, "$Proxy");
  if (!number) return;
  const std::string package = name.substr(0, *number - std::string_view("$Proxy").size());
  if (!package.empty() && package.back() != '.') return;
  constexpr std::string_view kNumbered = "jdk.proxy";
  const std::string_view rest = std::string_view(package).substr(
      package.starts_with(kNumbered) ? kNumbered.size() : package.size());
  const bool is_numbered =
      rest.size() > 1 && start_of_tail(rest.substr(0, rest.size() - 1), is_digit) == 0;
  const bool is_of_jdk = is_numbered || package == "com.sun.proxy.";
  name = (is_of_jdk ? "jdk.proxy*." : package) + "$Proxy*";
}

bool is_decimal_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex_digit(char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; }

// Length of the UUID at the beginning; 0 if there is none.
std::size_t uuid_length(std::string_view text) {
  constexpr std::string_view kForm = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  const bool is_one = text.size() >= kForm.size() &&
                      std::equal(kForm.begin(), kForm.end(), text.begin(), [](char form, char c) {
                        return form == '-' ? c == '-' : is_hex_digit(c);
                      });
  return is_one ? kForm.size() : 0;
}

// Length of the random id in hexadecimal digits at the beginning; 0 if there is none. Words do not have a letter
// behind a digit.
std::size_t id_length(std::string_view text) {
  constexpr std::size_t kLeast = 8;
  const auto end = std::ranges::find_if_not(text, is_hex_digit);
  const auto turn = std::adjacent_find(text.begin(), end, [](char a, char b) {
    return is_decimal_digit(a) && !is_decimal_digit(b);
  });
  const auto length = static_cast<std::size_t>(end - text.begin());
  return length >= kLeast && turn != end ? length : 0;
}

}  // namespace

std::string normal_class(std::string_view class_name, std::string_view method) {
  std::string name(class_name.substr(0, length_without_addresses(class_name)));
  constexpr std::string_view kLambda = "$$Lambda$";
  if (const auto number = before_number(name, kLambda)) name.resize(*number - 1);
  normalise_proxy(name);
  for (const std::string_view accessor :
       {".GeneratedMethodAccessor", ".GeneratedConstructorAccessor",
        ".GeneratedSerializationConstructorAccessor"}) {
    if (const auto number = before_number(name, accessor)) name.replace(*number, name.npos, "*");
  }
  star_after(name, "CGLIB$$", is_hex_or_bar);
  for (const std::string_view maker :
       {"$ByteBuddy$", "$HibernateProxy$", "$MockitoMock$", "$auxiliary$"}) {
    star_after(name, maker, is_alphanumeric);
  }
  for (const std::string_view maker : {"_$$_jvst", "_$$_javassist_"}) {
    star_after(name, maker, is_hex_or_bar);
  }
  if (method == "<clinit>") {
    if (const auto number = before_number(name, "$")) name.replace(*number, name.npos, "*");
  }
  return name;
}

std::string normal_method(std::string_view method) {
  std::string name(method);
  const bool ends_in_number = before_number(name, "$").has_value();
  if (ends_in_number) {
    const std::size_t number = *before_number(name, "$");
    const bool has_more = number > std::string_view("CGLIB$x").size();
    if (name.starts_with("lambda$") || (name.starts_with("access$") && number == 7) ||
        (name.starts_with("CGLIB$") && has_more) || name.starts_with("RUBY$")) {
      name.replace(number, name.npos, "*");
    }
  }
  // JRuby's call sites: invokeOther15:number.
  if (const std::size_t colon = name.find(':'); colon != name.npos) {
    const std::string_view before = std::string_view(name).substr(0, colon);
    const std::size_t number = start_of_tail(before, is_digit);
    if (number != 0 && number != colon && start_of_tail(before.substr(0, number), is_letter) == 0) {
      name.replace(number, colon - number, "*");
    }
  }
  // Kotlin's, Scala's.
  star_after(name, "$lambda$", is_digit);
  star_after(name, "$lambda-", is_digit);
  if (name.starts_with("$anonfun$")) star_after(name, "$", is_digit);
  for (const std::string_view maker : {"$accessor$", "$original$"}) {
    const std::size_t tail = start_of_tail(name, is_alphanumeric);
    if (tail < name.size() && std::string_view(name).substr(0, tail).ends_with(maker)) {
      name.replace(tail, name.npos, "*");
    }
  }
  return name;
}

std::string numberless_class(std::string_view class_name, bool of_groovy) {
  std::string name = normal_class(class_name);
  star_after(name, "$", is_digit);
  // Closures and lambdas of Groovy, functions and evaluated forms of Clojure, lines of Scala's and Jython's shells,
  // stylesheets of XSLTC.
  for (const std::string_view before :
       {"_closure", "_lambda", "__", "$eval", "$line", "._pyx", ".GregorSamsa"}) {
    star_after(name, before, is_digit);
  }
  constexpr std::string_view kRhino = "org.mozilla.javascript.gen.";
  if (const auto number = before_number(name, "_"); number && name.starts_with(kRhino)) {
    name.replace(*number, name.npos, "*");
  }
  if (of_groovy) star_after(name, "Script", is_digit);
  return name;
}

std::string normal_descriptor(std::string_view descriptor) {
  std::string normal;
  std::size_t done = 0;
  for (std::size_t at = descriptor.find('L'); at != descriptor.npos;
       at = descriptor.find('L', done)) {
    const std::size_t end = descriptor.find(';', at);
    if (end == descriptor.npos) break;
    std::string name(descriptor.substr(at + 1, end - at - 1));
    std::replace(name.begin(), name.end(), '/', '.');
    name = numberless_class(name);
    std::replace(name.begin(), name.end(), '.', '/');
    normal.append(descriptor.substr(done, at + 1 - done)).append(name);
    done = end;
  }
  return normal.append(descriptor.substr(done));
}

std::string thread_group(std::string_view thread_name) {
  std::string text;
  bool may_begin = true;  // an id, which has no hexadecimal digit in front of it
  while (!thread_name.empty()) {
    std::size_t length = 0;
    if (may_begin) length = std::max(uuid_length(thread_name), id_length(thread_name));
    if (length == 0) {
      length = static_cast<std::size_t>(std::ranges::find_if_not(thread_name, is_decimal_digit) -
                                        thread_name.begin());
    }
    text += length == 0 ? thread_name[0] : '*';
    length = std::max<std::size_t>(length, 1);
    may_begin = !is_hex_digit(thread_name[length - 1]);
    thread_name.remove_prefix(length);
  }
  return text;
}

}  // namespace copse
