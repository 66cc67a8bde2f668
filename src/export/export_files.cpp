#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "dcheck/export/export.hpp"
#include "dcheck/net/expression.hpp"

namespace dcheck {

namespace {

/// Text on its way to a sink, in large pieces.
class Writer {
 public:
  explicit Writer(const TextSink& sink) : _sink(sink) {}
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  template <typename... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(_text), format, std::forward<Args>(args)...);
    if (_text.size() > piece) finish();
  }
  /// To be called at the end.
  void finish() {
    _sink(std::string_view(_text.data(), _text.size()));
    _text.clear();
  }

 private:
  static constexpr std::size_t piece = std::size_t{1} << 18;
  const TextSink& _sink;
  fmt::memory_buffer _text;
};

/// In double quotes, `"` and `\` behind a backslash; bytes that are not ASCII as \xNN where `is_ascii`.
std::string quoted(std::string_view name, bool is_ascii = false) {
  std::string text = "\"";
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (is_ascii && (byte < ' ' || byte > '~')) {
      text += fmt::format("\\x{:02x}", byte);
    } else {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
    }
  }
  return text + "\"";
}

/// A field of a table, RFC 4180.
std::string field(std::string_view name) {
  if (name.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(name);
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? "\"\"" : std::string(1, c);
  return text + "\"";
}

/// Names that other languages take: letters, digits and `_`, none twice. pm[1] becomes pm_1.
class PlainNames {
 public:
  std::string operator()(std::string_view name) {
    std::string plain;
    for (const char c : name) {
      if (std::isalnum(static_cast<unsigned char>(c)) != 0)
        plain += c;
      else if (!plain.empty() && plain.back() != '_')
        plain += '_';
    }
    while (!plain.empty() && plain.back() == '_') plain.pop_back();
    if (plain.empty() || std::isdigit(static_cast<unsigned char>(plain.front())) != 0) plain = "_" + plain;
    std::string unique = plain;
    for (int i = 2; !_taken.insert(unique).second; ++i) unique = fmt::format("{}_{}", plain, i);
    return unique;
  }

 private:
  std::set<std::string, std::less<>> _taken;
};

/// "pm[1] 2, pout[3]": the places that are marked, with how many tokens where not one.
std::string readable(const Net& net, std::span<const Tokens> marking) {
  std::string text;
  for (const Place p : net.places_as_written()) {
    const Tokens tokens = marking[index(p)];
    if (tokens == 0) continue;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", net.name(p));
    if (tokens != 1) text += fmt::format(" {}", tokens);
  }
  return text.empty() ? "empty" : text;
}

void write_aut(const StateGraph& graph, const TextSink& sink) {
  Writer out(sink);
  out.put("des (0, {}, {})\n", graph.arc_count(), graph.state_count());
  for (std::uint64_t state = 0; state < graph.state_count(); ++state)
    for (const auto& arc : graph.arcs_of(state))
      out.put("({}, {}, {})\n", state, quoted(graph.net().name(arc.transition), true), arc.target);
  out.finish();
}

void write_dot(const StateGraph& graph, const TextSink& sink) {
  Writer out(sink);
  out.put("digraph {} {{\n", quoted(graph.net().name()));
  for (std::uint64_t state = 0; state < graph.state_count(); ++state) {
    const std::string label = quoted(readable(graph.net(), graph.marking(state)));
    out.put("  {} [label={}{}];\n", state, label, state == 0 ? ", peripheries=2" : "");
    for (const auto& arc : graph.arcs_of(state))
      out.put("  {} -> {} [label={}];\n", state, arc.target, quoted(graph.net().name(arc.transition)));
  }
  out.put("}}\n");
  out.finish();
}

void write_arc_table(const StateGraph& graph, const TextSink& sink) {
  Writer out(sink);
  out.put("source,transition,target,rate\n");
  for (std::uint64_t state = 0; state < graph.state_count(); ++state) {
    for (const auto& arc : graph.arcs_of(state)) {
      const auto rate = graph.net().rate(arc.transition);
      out.put("{},{},{},{}\n", state, field(graph.net().name(arc.transition)), arc.target,
              rate ? fmt::format("{}", *rate) : "");
    }
  }
  out.finish();
}

void write_state_table(const StateGraph& graph, const TextSink& sink) {
  Writer out(sink);
  const std::vector<Place> places = graph.net().places_as_written();
  out.put("state");
  for (const Place p : places) out.put(",{}", field(graph.net().name(p)));
  out.put("\n");
  for (std::uint64_t state = 0; state < graph.state_count(); ++state) {
    const std::span<const Tokens> marking = graph.marking(state);
    out.put("{}", state);
    for (const Place p : places) out.put(",{}", marking[index(p)]);
    out.put("\n");
  }
  out.finish();
}

/// Rates of parallel arcs are added up; a transition without a rate has rate 1.
void write_rates(const StateGraph& graph, ExportFormat format, const TextSink& sink) {
  Writer out(sink);
  if (format == ExportFormat::storm)
    out.put("ctmc\n");
  else if (format == ExportFormat::prism)
    out.put("{} {}\n", graph.state_count(), graph.pair_count());
  else
    out.put("STATES {}\nTRANSITIONS {}\n", graph.state_count(), graph.pair_count());
  const std::uint64_t first = format == ExportFormat::mrmc ? 1 : 0;
  std::vector<std::pair<std::uint64_t, double>> targets;
  for (std::uint64_t state = 0; state < graph.state_count(); ++state) {
    targets.clear();
    for (const auto& arc : graph.arcs_of(state))
      targets.emplace_back(arc.target, graph.net().rate(arc.transition).value_or(1));
    std::stable_sort(targets.begin(), targets.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < targets.size();) {
      double rate = 0;
      const std::uint64_t target = targets[i].first;
      for (; i < targets.size() && targets[i].first == target; ++i) rate += targets[i].second;
      out.put("{} {} {}\n", state + first, target + first, rate);
    }
  }
  out.finish();
}

/// The names of the labels of a state.
class Labels {
 public:
  Labels(const StateGraph& graph, const std::vector<StateLabel>& labels) : _graph(graph), _labels(labels) {
    PlainNames plain;
    for (const char* own : {"init", "deadlock"}) _names.push_back(plain(own));
    for (const StateLabel& label : labels) _names.push_back(plain(label.name));
  }

  const std::vector<std::string>& names() const { return _names; }
  /// Numbers of names, ascending.
  std::vector<std::size_t> of(std::uint64_t state) const {
    std::vector<std::size_t> numbers;
    if (state == 0) numbers.push_back(0);
    if (_graph.arcs_of(state).empty()) numbers.push_back(1);
    const std::span<const Tokens> marking = _graph.marking(state);
    for (std::size_t i = 0; i < _labels.size(); ++i)
      if (evaluate(_labels[i].predicate, _graph.net(), marking)) numbers.push_back(i + 2);
    return numbers;
  }

 private:
  const StateGraph& _graph;
  const std::vector<StateLabel>& _labels;
  std::vector<std::string> _names;
};

void write_prism_labels(const StateGraph& graph, const Labels& labels, const TextSink& sink) {
  Writer out(sink);
  for (std::size_t i = 0; i < labels.names().size(); ++i)
    out.put("{}{}=\"{}\"", i == 0 ? "" : " ", i, labels.names()[i]);
  out.put("\n");
  for (std::uint64_t state = 0; state < graph.state_count(); ++state) {
    const std::vector<std::size_t> numbers = labels.of(state);
    if (numbers.empty()) continue;
    out.put("{}:", state);
    for (const std::size_t number : numbers) out.put(" {}", number);
    out.put("\n");
  }
  out.finish();
}

void write_labels(const StateGraph& graph, const Labels& labels, std::uint64_t first, const TextSink& sink) {
  Writer out(sink);
  out.put("#DECLARATION\n{}\n#END\n", fmt::join(labels.names(), " "));
  for (std::uint64_t state = 0; state < graph.state_count(); ++state) {
    const std::vector<std::size_t> numbers = labels.of(state);
    if (numbers.empty()) continue;
    out.put("{}", state + first);
    for (const std::size_t number : numbers) out.put(" {}", labels.names()[number]);
    out.put("\n");
  }
  out.finish();
}

void write_prism_states(const StateGraph& graph, const TextSink& sink) {
  Writer out(sink);
  PlainNames plain;
  const std::vector<Place> places = graph.net().places_as_written();
  std::vector<std::string> columns;
  for (const Place p : places) columns.push_back(plain(graph.net().name(p)));
  out.put("({})\n", fmt::join(columns, ","));
  std::vector<Tokens> values(places.size());
  for (std::uint64_t state = 0; state < graph.state_count(); ++state) {
    const std::span<const Tokens> marking = graph.marking(state);
    std::transform(places.begin(), places.end(), values.begin(), [&](Place p) { return marking[index(p)]; });
    out.put("{}:({})\n", state, fmt::join(values, ","));
  }
  out.finish();
}

}  // namespace

std::vector<std::string> export_endings(ExportFormat format) {
  switch (format) {
    case ExportFormat::csv:
      return {".states.csv", ""};
    case ExportFormat::prism:
      return {".sta", ".lab", ""};
    case ExportFormat::mrmc:
    case ExportFormat::storm:
      return {".lab", ""};
    default:
      return {""};
  }
}

std::vector<ExportWriter> export_writers(const StateGraph& graph, ExportFormat format,
                                         const std::vector<StateLabel>& labels) {
  const auto writer = [&graph](auto write) { return [&graph, write](const TextSink& sink) { write(graph, sink); }; };
  const auto write_rates_of = [format](const StateGraph& of, const TextSink& sink) { write_rates(of, format, sink); };
  const auto write_labels_of = [&labels, format](const StateGraph& of, const TextSink& sink) {
    write_labels(of, Labels(of, labels), format == ExportFormat::mrmc ? 1 : 0, sink);
  };
  const auto write_prism_labels_of = [&labels](const StateGraph& of, const TextSink& sink) {
    write_prism_labels(of, Labels(of, labels), sink);
  };
  switch (format) {
    case ExportFormat::aut:
      return {writer(write_aut)};
    case ExportFormat::dot:
      return {writer(write_dot)};
    case ExportFormat::csv:
      return {writer(write_state_table), writer(write_arc_table)};
    case ExportFormat::prism:
      return {writer(write_prism_states), writer(write_prism_labels_of), writer(write_rates_of)};
    default:
      return {writer(write_labels_of), writer(write_rates_of)};
  }
}

}  // namespace dcheck
