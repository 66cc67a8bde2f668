#include "parse/cspl/library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace dcheck::parse::cspl {
namespace {

constexpr std::size_t longest_text = 100'000;

class Library {
 public:
  Library(Call& call, const Arithmetic& arithmetic, const SourceText& source, bool keeps_globals)
      : _call(call), _arithmetic(arithmetic), _source(source), _keeps_globals(keeps_globals) {}

  std::optional<Value> run() {
    const std::string& name = _call.name;
    if (name == "printf" || name == "fprintf" || name == "puts" || name == "fflush") return Value(Tokens{0});
    if (name == "sprintf") return set(0, formatted(1), 1);
    if (name == "strcpy") return set(0, text(1), 2);
    if (name == "strcat") return set(0, text(0) + text(1), 2);
    if (name == "strlen") return with(1), Value(static_cast<Tokens>(text(0).size()));
    if (name == "strcmp") return with(2), Value(Tokens{text(0).compare(text(1))});
    if (name == "atoi") return with(1), Value(Tokens{std::atoi(text(0).c_str())});
    if (name == "abs" || name == "max" || name == "min") return integers();
    if (name == "rand" || name == "random" || name == "drand48" || name == "srand")
      _source.fail(_call.at, fmt::format("'{}' is not supported: a net has no chance in it", name));
    return reals();
  }

 private:
  void with(std::size_t count) const { require_arguments(_call, count, _source); }
  const std::string& text(std::size_t argument) const { return text_argument(_call, argument, _source); }
  [[noreturn]] void fail(const std::string& message) const { _source.fail(_call.at, message); }

  Value set(std::size_t argument, std::string content, std::size_t least_arguments) {
    if (_call.arguments.size() < least_arguments) fail(fmt::format("'{}' has too few arguments", _call.name));
    const auto* target = std::get_if<std::shared_ptr<Text>>(&_call.arguments[argument]);
    if (target == nullptr) fail(fmt::format("'{}' expects an array of characters", _call.name));
    if ((*target)->capacity == 0) fail(fmt::format("'{}' would change a text in double quotes", _call.name));
    if ((*target)->is_global && _keeps_globals)
      fail("a global text is changed where a marking is looked at: expected one of the function's own");
    if (content.size() >= (*target)->capacity)
      fail(fmt::format("'{}' makes {} characters: the array has room for {}", _call.name, content.size(),
                       (*target)->capacity - 1));
    (*target)->content = std::move(content);
    return static_cast<Tokens>((*target)->content.size());
  }

  Value integers() const {
    with(_call.name == "abs" ? 1 : 2);
    const Tokens first = _arithmetic.integer(_call.arguments[0], _call.at, "the argument");
    if (_call.name == "abs")
      return first < 0 ? std::get<Tokens>(_arithmetic.binary("-", Tokens{0}, first, _call.at)) : first;
    const Tokens second = _arithmetic.integer(_call.arguments[1], _call.at, "the argument");
    return _call.name == "min" ? std::min(first, second) : std::max(first, second);
  }

  std::optional<Value> reals() const {
    using Function = double (*)(double);
    constexpr std::array<std::pair<std::string_view, Function>, 12> functions{{{"fabs", std::fabs},
                                                                               {"exp", std::exp},
                                                                               {"sqrt", std::sqrt},
                                                                               {"floor", std::floor},
                                                                               {"ceil", std::ceil},
                                                                               {"log", std::log},
                                                                               {"log10", std::log10},
                                                                               {"sin", std::sin},
                                                                               {"cos", std::cos},
                                                                               {"tan", std::tan},
                                                                               {"atan", std::atan},
                                                                               {"round", std::round}}};
    if (_call.name == "pow") {
      with(2);
      return Value(std::pow(number(0), number(1)));
    }
    const auto found = std::ranges::find(functions, _call.name, [](const auto& entry) { return entry.first; });
    if (found == functions.end()) return std::nullopt;
    with(1);
    return Value(found->second(number(0)));
  }

  double number(std::size_t argument) const {
    return _arithmetic.real(_call.arguments[argument], _call.at, fmt::format("the argument of '{}'", _call.name));
  }

  /// What sprintf makes of the format and the arguments behind it.
  std::string formatted(std::size_t format_argument) const {
    const std::string& format = text(format_argument);
    std::size_t argument = format_argument + 1;
    std::string result;
    for (std::size_t at = 0; at < format.size(); ++at) {
      if (format[at] != '%') {
        result += format[at];
        continue;
      }
      if (at + 1 < format.size() && format[at + 1] == '%') {
        result += format[++at];
        continue;
      }
      std::string directive = "%";
      while (++at < format.size() && std::string_view("0123456789.+- lh").find(format[at]) != std::string_view::npos)
        if (format[at] != 'l' && format[at] != 'h') directive += format[at];
      if (at >= format.size() || directive.size() > 8) fail("the format ends within a directive, or has one too long");
      if (argument >= _call.arguments.size()) fail(fmt::format("'{}' has fewer arguments than its format", _call.name));
      result += one(directive, format[at], argument++);
      if (result.size() > longest_text) fail("the text that is made is too long");
    }
    return result;
  }

  std::string one(std::string directive, char kind, std::size_t argument) const {
    std::array<char, 600> buffer{};
    const auto print = [&](auto value) {
      const int length = std::snprintf(buffer.data(), buffer.size(), directive.c_str(), value);
      if (length < 0 || static_cast<std::size_t>(length) >= buffer.size()) fail("the text that is made is too long");
      return std::string(buffer.data(), static_cast<std::size_t>(length));
    };
    if (kind == 'd' || kind == 'i' || kind == 'u') {
      directive += "lld";
      return print(static_cast<long long>(_arithmetic.integer(_call.arguments[argument], _call.at, "an argument")));
    }
    if (kind == 'c')
      return std::string(1, static_cast<char>(_arithmetic.integer(_call.arguments[argument], _call.at, "an argument")));
    if (kind == 's') {
      if (directive == "%") return text(argument);
      directive += 's';
      return print(text(argument).c_str());
    }
    if (kind != 'f' && kind != 'g' && kind != 'e') fail(fmt::format("'%{}' in a format is not supported", kind));
    directive += kind;
    return print(_arithmetic.real(_call.arguments[argument], _call.at, "an argument"));
  }

  Call& _call;
  const Arithmetic& _arithmetic;
  const SourceText& _source;
  bool _keeps_globals;
};

}  // namespace

void require_arguments(const Call& call, std::size_t count, const SourceText& source) {
  if (call.arguments.size() == count) return;
  source.fail(call.at, fmt::format("'{}' is called with {} arguments: expected {}", shown(call.name),
                                   call.arguments.size(), count));
}

const std::string& text_argument(const Call& call, std::size_t argument, const SourceText& source) {
  if (argument >= call.arguments.size()) source.fail(call.at, fmt::format("'{}' has too few arguments", call.name));
  const auto* text = std::get_if<std::shared_ptr<Text>>(&call.arguments[argument]);
  if (text == nullptr)
    source.fail(call.at, fmt::format("'{}': expected a text as argument {}, found {}", call.name, argument + 1,
                                     kind_of(call.arguments[argument])));
  return (*text)->content;
}

std::optional<Value> call_library(Call& call, const Arithmetic& arithmetic, const SourceText& source,
                                  bool keeps_globals) {
  return Library(call, arithmetic, source, keeps_globals).run();
}

}  // namespace dcheck::parse::cspl
