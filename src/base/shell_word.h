// Commands that a person may copy from a message into a shell.
#pragma once

#include <string>
#include <string_view>

namespace copse {

// `text` so that a shell reads it as one word and as nothing else: as it is where nothing in it
// means anything to a shell, else in single quotes. What would not show as it is (printable.h),
// control characters and invalid bytes, makes it $'...', which bash, zsh and ksh read, with octal
// escapes; so printable() changes nothing in it.
std::string shell_word(std::string_view text);

// The same of a path where the command might take a leading dash for an option's: "./" stands
// before it.
std::string shell_path(std::string_view path);

}  // namespace copse
