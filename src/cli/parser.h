// Forward declarations of the parser's classes. Its headers are large: only files that add options include them.
#pragma once

namespace CLI {
class App;
class Option;
class ParseError;
class Validator;
}  // namespace CLI
