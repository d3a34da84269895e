// The parser's classes by name. Its headers are large: only what adds options includes them.
#pragma once

namespace CLI {
class App;
class Option;
class ParseError;
class Validator;
}  // namespace CLI
