#pragma once
// The colours that can be marked, of all places, in the order in which they were found; and indices over them by some
// of their components, for joins.
//
// A colour of a place is a code: its components as digits, the last one lowest. What was found waits until its turn
// comes (advance()); indices know only colours whose turn has come.

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "colour/code_table.hpp"
#include "dcheck/colour/unfold.hpp"

namespace dcheck {

/// The components of a place's colours as digits of a code.
struct ColourDomain {
  std::vector<std::uint64_t> stride;
  std::vector<Colour> size;

  Colour digit(std::uint64_t code, std::size_t component) const {
    return static_cast<Colour>(code / stride[component] % size[component]);
  }
};

/// A colour that can be marked: `number` counts them through all places, in the order in which they were found.
struct MarkedColour {
  std::uint32_t place = 0;
  std::uint64_t code = 0;
};

class MarkedColours {
 public:
  /// Throws UnfoldError where codes of a place's colours leave 63 bits.
  MarkedColours(const ColouredNet& net, const UnfoldLimits& limits);

  const ColourDomain& domain(std::uint32_t place) const { return _places[place].domain; }
  std::size_t count() const { return _all.size(); }
  const MarkedColour& operator[](std::uint32_t number) const { return _all[number]; }

  /// Its number, new or not. Throws UnfoldError where there are too many.
  std::uint32_t add(std::uint32_t place, std::uint64_t code);
  /// none where it is not among them.
  std::uint32_t find(std::uint32_t place, std::uint64_t code) const { return _places[place].numbers.find(code); }

  /// An index of a place's colours by the components in `mask`, for lookups that begin with `first`.
  std::uint32_t index_by(std::uint32_t place, std::uint64_t mask);
  /// The key of an index: the code with all other components 0.
  std::uint32_t first_with(std::uint32_t place, std::uint32_t index, std::uint64_t key) const {
    return _places[place].indices[index].newest.find(key);
  }
  std::uint32_t next_with(std::uint32_t place, std::uint32_t index, std::uint32_t number) const {
    return _places[place].indices[index].next[_position[number]];
  }

  /// The next colour's turn: from now on it is in the indices. None where all have had their turn.
  std::optional<std::uint32_t> advance();

 private:
  struct Index {
    std::uint64_t mask = 0;
    CodeTable newest;                 // key -> the colour of this key that came last
    std::vector<std::uint32_t> next;  // per position: the one that came before it
  };
  struct PlaceColours {
    ColourDomain domain;
    CodeTable numbers;
    std::vector<Index> indices;
    std::uint32_t count = 0;
  };

  const ColouredNet& _net;
  std::uint64_t _limit;
  std::vector<PlaceColours> _places;
  std::vector<MarkedColour> _all;
  std::vector<std::uint32_t> _position;  // per number: which one of its place it is
  std::uint32_t _turn = 0;
};

}  // namespace dcheck
