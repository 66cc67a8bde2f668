#include "support/xml_rewriting.hpp"

#include <algorithm>
#include <array>

namespace dcheck::test {
namespace {

constexpr std::string_view blanks = " \t\r\n";

bool is_opening_tag(std::string_view piece) {
  return piece.size() > 1 && piece[0] == '<' && piece[1] != '/' && piece[1] != '!' && piece[1] != '?';
}

/// End of the piece that begins here.
std::size_t end_of_piece(std::string_view xml, std::size_t at) {
  const auto past = [&](std::string_view what) {
    const std::size_t found = xml.find(what, at);
    return found == std::string_view::npos ? xml.size() : found + what.size();
  };
  const std::string_view rest = xml.substr(at);
  if (!rest.starts_with('<')) return std::min(xml.find('<', at), xml.size());
  if (rest.starts_with("<!--")) return past("-->");
  if (rest.starts_with("<?")) return past("?>");
  if (rest.starts_with("<![CDATA[")) return past("]]>");
  char quote = 0;
  for (std::size_t i = at; i < xml.size(); ++i) {
    if (quote != 0) {
      if (xml[i] == quote) quote = 0;
    } else if (xml[i] == '"' || xml[i] == '\'') {
      quote = xml[i];
    } else if (xml[i] == '>') {
      return i + 1;
    }
  }
  return xml.size();
}

class Rewriter {
 public:
  explicit Rewriter(std::mt19937& random) : _random(random) {}

  std::string document(std::string_view xml) {
    std::string made;
    std::size_t depth = 0;
    for (const std::string& piece : xml_pieces(xml)) {
      // Nothing but a byte order mark may stand before the declaration of XML, nor anything before that mark.
      if (!made.empty() && !piece.starts_with("<?xml")) made += noise();
      if (is_opening_tag(piece)) {
        made += tag(piece, depth);
      } else if (piece.starts_with("</")) {
        --depth;
        made += piece.substr(0, piece.size() - 1) + (chance(4) ? " \n>" : ">");
      } else if (piece[0] != '<' && piece.find_first_not_of(blanks) != std::string::npos && depth > 0) {
        made += text(piece);
      } else {
        made += piece;
      }
    }
    return made + noise();
  }

 private:
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(_random); }
  bool chance(std::size_t one_in) { return below(one_in) == 0; }

  /// What means nothing anywhere between tags and in texts.
  std::string noise() {
    constexpr std::array<std::string_view, 6> all{
        "<!-- was 2 -->",         "<?tool <text>7</text> ?>", "<!---->", "<!-- <place id='x'/> & &no; -->",
        "<?x?><!-- ' \" ]]> -->", "<!-- > <![CDATA[ -->"};
    return chance(3) ? std::string(all[below(all.size())]) : std::string();
  }

  std::string tag(std::string_view piece, std::size_t& depth) {
    const bool is_empty = piece.ends_with("/>");
    if (!is_empty) ++depth;
    std::string made;
    const std::string_view inner = piece.substr(0, piece.size() - (is_empty ? 2 : 1));
    for (std::size_t i = 0; i < inner.size(); ++i) {
      const char c = inner[i];
      if (c == '"' || c == '\'') {
        const std::size_t end = inner.find(c, i + 1);
        made += value(inner.substr(i + 1, end - i - 1), c);
        i = end;
      } else {
        made += blanks.find(c) != std::string_view::npos && chance(3) ? " \n\t" : std::string(1, c);
      }
    }
    if (!is_empty) return made + ">";
    if (chance(2)) return made + " />";
    const std::size_t name_end = std::min(piece.find_first_of(" \t\r\n/>"), piece.size());
    return made + "></" + std::string(piece.substr(1, name_end - 1)) + ">";
  }

  /// The value of an attribute in quotes, perhaps in the other ones.
  std::string value(std::string_view text, char quote) {
    const char other = quote == '"' ? '\'' : '"';
    if (chance(2) && text.find(other) == std::string_view::npos) quote = other;
    return quote + std::string(text) + quote;
  }

  std::string text(std::string_view whole) {
    std::string made;
    while (!whole.empty()) {
      // A reference is one character, and so is what UTF-8 writes in several bytes.
      std::size_t length = whole[0] == '&' ? whole.find(';') + 1 : 1 + below(3);
      length = std::min(length, whole.size());
      if (whole[0] != '&') length = std::min(length, whole.find('&'));
      while (length < whole.size() && (static_cast<unsigned char>(whole[length]) & 0xC0U) == 0x80U) ++length;
      if (length < whole.size() && whole[length - 1] == '\r' && whole[length] == '\n') ++length;
      made += piece_of_text(whole.substr(0, length)) + noise();
      whole.remove_prefix(length);
    }
    return made;
  }

  std::string piece_of_text(std::string_view piece) {
    const bool is_plain = std::all_of(piece.begin(), piece.end(), [](char c) { return c > ' ' && c < 127; });
    if (piece[0] == '&' || piece.find("]]>") != std::string_view::npos || chance(2)) return std::string(piece);
    if (chance(2)) return "<![CDATA[" + std::string(piece) + "]]>";
    if (!is_plain) return std::string(piece);
    std::string made;
    for (const char c : piece) made += "&#" + std::to_string(static_cast<int>(c)) + ";";
    return made;
  }

  std::mt19937& _random;
};

}  // namespace

std::vector<std::string> xml_pieces(std::string_view xml) {
  std::vector<std::string> pieces;
  for (std::size_t at = 0; at < xml.size();) {
    const std::size_t end = end_of_piece(xml, at);
    pieces.emplace_back(xml.substr(at, end - at));
    at = end;
  }
  return pieces;
}

std::string rewritten(std::string_view xml, std::mt19937& random) {
  return Rewriter(random).document(xml);
}

std::string with_element_twice(std::string_view xml, std::size_t piece) {
  const std::vector<std::string> pieces = xml_pieces(xml);
  std::size_t depth = 0, end = piece;
  do {
    const std::string& next = pieces[end++];
    if (is_opening_tag(next) && !next.ends_with("/>")) ++depth;
    if (next.starts_with("</")) --depth;
  } while (depth > 0);
  std::string made;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    made += pieces[i];
    if (i + 1 != end) continue;
    for (std::size_t k = piece; k < end; ++k) made += pieces[k];
  }
  return made;
}

}  // namespace dcheck::test
