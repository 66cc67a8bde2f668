#include "support/format_grammars.hpp"

#include <pugixml.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

namespace dcheck::test {
namespace {

/// The lines of a text that are neither empty nor comments.
std::vector<std::string> lines_of(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);)
    if (!line.empty() && line[0] != '#') lines.push_back(line);
  return lines;
}

/// LoLA's lexer: comments and blanks go, the rest is words and symbols of one character.
std::vector<std::string> lola_tokens(const std::string& text) {
  static const std::regex token(R"(\{[^}]*\}|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/|[ \t\r\n]+|[,;:()]|[^,;:() \t\r\n{}]+)");
  std::vector<std::string> tokens;
  std::size_t end = 0;
  for (std::sregex_iterator at(text.begin(), text.end(), token), none; at != none; ++at) {
    if (static_cast<std::size_t>(at->position()) != end) tokens.push_back("?");  // something that is no token
    end = static_cast<std::size_t>(at->position() + at->length());
    const std::string word = at->str();
    const bool is_comment = word[0] == '{' || word.starts_with("/*");
    if (!is_comment && word.find_first_of(" \t\r\n") == std::string::npos) tokens.push_back(word);
  }
  if (end != text.size()) tokens.push_back("?");
  return tokens;
}

class LolaGrammar {
 public:
  explicit LolaGrammar(const std::string& text) : _tokens(lola_tokens(text)) {}

  std::string fault() {
    if (!word("PLACE") || !names(false)) return wrong("places");
    if (!word("MARKING") || !(word(";") || names(true))) return wrong("the marking");
    do {
      if (!word("TRANSITION") || !name()) return wrong("a transition");
      if (!word("CONSUME") || !(word(";") || names(true))) return wrong("CONSUME");
      if (!word("PRODUCE") || !(word(";") || names(true))) return wrong("PRODUCE");
    } while (_at < _tokens.size());
    return {};
  }

 private:
  std::string wrong(const std::string& where) const {
    return "LoLA: " + where + " before '" + (_at < _tokens.size() ? _tokens[_at] : "the end") + "'";
  }
  bool word(const std::string& expected) {
    if (_at >= _tokens.size() || _tokens[_at] != expected) return false;
    ++_at;
    return true;
  }
  bool name() {
    static const std::set<std::string> none{"PLACE",   "MARKING", "SAFE", "TRANSITION", "CONSUME",
                                            "PRODUCE", "STRONG",  "WEAK", "FAIR",       ",",
                                            ";",       ":",       "(",    ")",          "?"};
    if (_at >= _tokens.size() || none.contains(_tokens[_at])) return false;
    ++_at;
    return true;
  }
  bool number() {
    static const std::regex digits("[0-9]+");
    if (_at >= _tokens.size() || !std::regex_match(_tokens[_at], digits)) return false;
    return ++_at, true;
  }
  /// Names with commas, perhaps each with a number, and a semicolon.
  bool names(bool has_numbers) {
    do {
      if (!name()) return false;
      if (has_numbers && word(":") && !number()) return false;
    } while (word(","));
    return word(";");
  }

  std::vector<std::string> _tokens;
  std::size_t _at = 0;
};

bool is_xml_name(const std::string& text) {
  static const std::regex name("[A-Za-z_][A-Za-z0-9_.-]*");
  return std::regex_match(text, name);
}

bool is_number(const pugi::xml_node& label, bool may_be_zero) {
  static const std::regex any("[0-9]+"), positive("[1-9][0-9]*");
  return std::regex_match(std::string(label.child("text").text().get()), may_be_zero ? any : positive);
}

/// The elements below are of these names, and each at most once where it is a label.
std::string fault_in_children(const pugi::xml_node& node, const std::set<std::string>& allowed) {
  std::set<std::string> seen;
  for (const pugi::xml_node child : node.children()) {
    const std::string name = child.name();
    if (!allowed.contains(name)) return std::string("<") + name + "> in <" + node.name() + ">";
    const bool is_label = name == "name" || name == "initialMarking" || name == "inscription";
    if (is_label && !seen.insert(name).second) return "two <" + name + ">";
    if (is_label && (child.child("text").empty() || child.first_child() != child.last_child())) return "no <text>";
  }
  return {};
}

class PnmlGrammar {
 public:
  std::string fault(const std::string& text) {
    pugi::xml_document document;
    if (const auto result = document.load_string(text.c_str()); !result) return result.description();
    const pugi::xml_node root = document.document_element(), net = root.child("net"), page = net.child("page");
    if (std::string(root.name()) != "pnml" ||
        std::string(root.attribute("xmlns").value()) != "http://www.pnml.org/version-2009/grammar/pnml")
      return "the root";
    if (std::string(net.attribute("type").value()) != "http://www.pnml.org/version-2009/grammar/ptnet")
      return "the type";
    for (const auto& [node, allowed] : {std::pair{root, std::set<std::string>{"net"}},
                                        {net, {"name", "page"}},
                                        {page, {"place", "transition", "arc", "toolspecific"}}})
      if (const std::string wrong = fault_in_children(node, allowed); !wrong.empty()) return wrong;
    if (!take_id(net) || !take_id(page)) return "the id of the net or the page";
    for (const pugi::xml_node node : page.children())
      if (const std::string wrong = fault_in_node(node); !wrong.empty()) return wrong;
    for (const pugi::xml_node arc : page.children("arc")) {
      const std::string source = arc.attribute("source").value(), target = arc.attribute("target").value();
      const bool fits = (_places.contains(source) && _transitions.contains(target)) ||
                        (_transitions.contains(source) && _places.contains(target) && !arc.attribute("type"));
      if (!fits) return "an arc from " + source + " to " + target;
    }
    return {};
  }

 private:
  bool take_id(const pugi::xml_node& node) {
    const std::string id = node.attribute("id").value();
    return is_xml_name(id) && _ids.insert(id).second;
  }

  std::string fault_in_node(const pugi::xml_node& node) {
    const std::string name = node.name(), id = node.attribute("id").value();
    if (name == "toolspecific") return node.attribute("tool") && node.attribute("version") ? "" : "toolspecific";
    if (!take_id(node)) return "the id '" + id + "'";
    if (name == "place") _places.insert(id);
    if (name == "transition") _transitions.insert(id);
    if (name == "arc" && node.child("inscription") && !is_number(node.child("inscription"), false)) return "a weight";
    if (node.child("initialMarking") && !is_number(node.child("initialMarking"), true)) return "a marking";
    if (const pugi::xml_attribute type = node.attribute("type"); type && std::string(type.value()) != "inhibitor")
      return "the type of an arc";
    return fault_in_children(node, name == "place"        ? std::set<std::string>{"name", "initialMarking"}
                                   : name == "transition" ? std::set<std::string>{"name"}
                                                          : std::set<std::string>{"inscription"});
  }

  std::set<std::string> _ids, _places, _transitions;
};

}  // namespace

std::string fault_in_tina(std::string_view text) {
  const std::string name = R"((?:[A-Za-z0-9_']+|\{(?:[^{}\\\n]|\\[{}\\])+\}))", weight = "[0-9]+[KM]?";
  const std::string input = " +" + name + "(?:(?:\\*|\\?-|\\?)" + weight + ")?",
                    output = " +" + name + "(?:\\*" + weight + ")?";
  const std::regex net("net +" + name), place("pl +" + name + "(?: +\\(" + weight + "\\))?");
  // A line may have more arcs than std::regex can go along at once: they are taken off one by one.
  const std::regex head("tr +" + name), one_input("^" + input + "(?= )"), one_output("^" + output + "(?= |$)");
  for (const std::string& line : lines_of(text)) {
    if (line.size() < 1000 && (std::regex_match(line, net) || std::regex_match(line, place))) continue;
    std::smatch found;
    std::string rest = line;
    if (!std::regex_search(rest, found, head, std::regex_constants::match_continuous)) return "Tina: " + line;
    rest = found.suffix();
    while (!rest.starts_with(" ->") && std::regex_search(rest, found, one_input)) rest = std::string(found.suffix());
    if (!rest.starts_with(" ->")) return "Tina: inputs of " + line;
    rest.erase(0, 3);
    while (std::regex_search(rest, found, one_output)) rest = std::string(found.suffix());
    if (!rest.empty()) return "Tina: outputs of " + line;
  }
  return {};
}

std::string fault_in_lola(std::string_view text) {
  return LolaGrammar(std::string(text)).fault();
}

std::string fault_in_pnml(const std::string& text) {
  return PnmlGrammar().fault(text);
}

}  // namespace dcheck::test
