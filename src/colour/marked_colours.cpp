#include "colour/marked_colours.hpp"

#include <fmt/format.h>

#include "dcheck/base/readable.hpp"
#include "dcheck/base/utf8.hpp"

namespace dcheck {

namespace {

ColourDomain domain_of(const ColouredNet& net, const ColouredPlace& place) {
  constexpr std::size_t most_components = 64;  // a bit each in a mask
  if (place.classes.size() > most_components)
    throw UnfoldError(place.at, fmt::format("colours of place '{}' have {} components: at most {} are supported",
                                            shown(place.name), place.classes.size(), most_components));
  ColourDomain domain;
  domain.stride.resize(place.classes.size());
  std::uint64_t product = 1;
  for (std::size_t i = place.classes.size(); i-- > 0;) {
    const Colour size = net.classes[place.classes[i]].size;
    domain.stride[i] = product;
    domain.size.insert(domain.size.begin(), size);
    if (__builtin_mul_overflow(product, std::uint64_t{size}, &product) ||
        product > static_cast<std::uint64_t>(std::numeric_limits<Tokens>::max()))
      throw UnfoldError(place.at, fmt::format("place '{}' has more than 2^63 colours", shown(place.name)));
  }
  return domain;
}

}  // namespace

MarkedColours::MarkedColours(const ColouredNet& net, const UnfoldLimits& limits) : _net(net), _limit(limits.places) {
  _places.resize(net.places.size());
  for (std::size_t p = 0; p < net.places.size(); ++p) _places[p].domain = domain_of(net, net.places[p]);
}

std::uint32_t MarkedColours::add(std::uint32_t place, std::uint64_t code) {
  PlaceColours& of = _places[place];
  std::uint32_t& number = of.numbers[code];
  if (number != CodeTable::none) return number;
  if (_all.size() >= _limit) {
    double colours = 1;
    for (const Colour size : of.domain.size) colours *= size;
    throw UnfoldError(_net.places[place].at,
                      fmt::format("the net is too large: unfolded it has more than {} places; '{}' alone may have {}",
                                  with_separators(_limit), shown(_net.places[place].name),
                                  with_separators(static_cast<std::uint64_t>(colours))));
  }
  number = static_cast<std::uint32_t>(_all.size());
  _all.push_back({place, code});
  _position.push_back(of.count++);
  return number;
}

std::uint32_t MarkedColours::index_by(std::uint32_t place, std::uint64_t mask) {
  std::vector<Index>& indices = _places[place].indices;
  for (std::uint32_t i = 0; i < indices.size(); ++i)
    if (indices[i].mask == mask) return i;
  indices.push_back({mask, {}, {}});
  return static_cast<std::uint32_t>(indices.size() - 1);
}

std::optional<std::uint32_t> MarkedColours::advance() {
  if (_turn == _all.size()) return std::nullopt;
  const MarkedColour& colour = _all[_turn];
  PlaceColours& of = _places[colour.place];
  for (Index& index : of.indices) {
    std::uint64_t key = 0;
    for (std::size_t i = 0; i < of.domain.size.size(); ++i)
      if ((index.mask >> i & 1) != 0) key += of.domain.digit(colour.code, i) * of.domain.stride[i];
    std::uint32_t& newest = index.newest[key];
    index.next.push_back(newest);
    newest = _turn;
  }
  return _turn++;
}

}  // namespace dcheck
