#include "engine/maxima_tracker.hpp"

#include <algorithm>

#include "dcheck/net/marking.hpp"
#include "dcheck/rows/mask.hpp"

namespace dcheck {

MaximaTracker::MaximaTracker(const Plan& plan, Maxima& maxima)
    : _plan(plan),
      _maxima(maxima),
      _largest(plan.layout().working_words(), 0),
      _fields_of_word(plan.layout().working_words()),
      _place_of_field(plan.layout().field_count()) {
  _maxima.begin(plan.net());
  const Layout& layout = plan.layout();
  for (const PlaceView& view : plan.views()) {
    const auto place = static_cast<std::uint32_t>(view.place);
    if (view.quantity >= 0) {
      _open_lane_places.push_back(place);
    } else if (view.field >= 0) {
      const Field& field = layout.field(static_cast<std::size_t>(view.field));
      _place_of_field[static_cast<std::size_t>(view.field)] = view.place;
      _fields_of_word[field.word].push_back(static_cast<std::uint32_t>(view.field));
      _largest[field.word] |= static_cast<std::uint64_t>(_maxima.place[place] * view.scale) << field.shift;
    }
  }
  // The key parts of mixed places are never compared as fields: their maximum is taken as reached.
  for (const PlaceView& view : plan.views())
    if (view.quantity >= 0 && view.field >= 0) {
      const Field& field = layout.field(static_cast<std::size_t>(view.field));
      _largest[field.word] |= field.mask();
    }
  for (std::uint32_t word = 0; word < layout.working_words(); ++word)
    if (!_fields_of_word[word].empty()) _open_words.push_back(word);
  // A total that no transition changes needs no looking at.
  _total_varies = false;
  for (const RowTransition& t : plan.transitions()) {
    __int128 change = 0;
    for (const Arc& arc : plan.net().effect(t.id)) change += arc.weight;
    if (change != 0) _total_varies = true;
  }
  _adds_up = _total_varies && !plan.total_fits();
  close_saturated();
}

bool MaximaTracker::is_saturated(Place place, Tokens tokens) const {
  const auto& bound = _plan.bounds()[index(place)];
  return bound && tokens >= *bound;
}

void MaximaTracker::raise_fields(std::uint32_t word, const std::uint64_t* working) {
  for (const std::uint32_t f : _fields_of_word[word]) {
    const Field& field = _plan.layout().field(f);
    const std::uint64_t seen = working[word] & field.mask();
    if (seen <= (_largest[word] & field.mask())) continue;
    _largest[word] = (_largest[word] & ~field.mask()) | seen;
    const Place place = _place_of_field[f];
    _closable |= is_saturated(place, field.value(working) / _plan.views()[index(place)].scale);
  }
}

void MaximaTracker::raise_place(const PlaceView& view, Tokens key, const std::uint64_t* lanes) {
  _maxima.place[index(view.place)] = largest(view, key, lanes);
  _closable |= is_saturated(view.place, _maxima.place[index(view.place)]);
}

Tokens MaximaTracker::largest(const PlaceView& view, Tokens key, const std::uint64_t* lanes) const {
  if (view.quantity < 0) return key / view.scale;
  const LaneQuantity& quantity = _plan.quantities()[static_cast<std::size_t>(view.quantity)];
  Tokens best = quantity.smallest();
  for_each_lane(lanes, _plan.words(), [&](Lane lane) { best = std::max(best, quantity.value(lane)); });
  return (key + best) / view.scale;
}

void MaximaTracker::add_up(const std::uint64_t* working, const std::uint64_t* lanes) {
  for_each_lane(lanes, _plan.words(), [&](Lane lane) {
    _maxima.marking = std::max(_maxima.marking, tokens_in(_plan.marking_of_working(working, lane)));
  });
}

void MaximaTracker::close_saturated() {
  _closable = false;
  std::erase_if(_open_words, [&](std::uint32_t word) {
    return std::all_of(_fields_of_word[word].begin(), _fields_of_word[word].end(), [&](std::uint32_t f) {
      const Place place = _place_of_field[f];
      const Field& field = _plan.layout().field(f);
      const Tokens value = field.value(_largest.data()) / _plan.views()[index(place)].scale;
      return is_saturated(place, value);
    });
  });
  std::erase_if(_open_lane_places,
                [&](std::uint32_t place) { return is_saturated(static_cast<Place>(place), _maxima.place[place]); });
}

void MaximaTracker::finish() {
  for (std::size_t f = 0; f < _place_of_field.size(); ++f) {
    const PlaceView& view = _plan.views()[index(_place_of_field[f])];
    if (view.quantity >= 0 || view.field != static_cast<std::int32_t>(f)) continue;
    const Tokens value = _plan.layout().field(f).value(_largest.data()) / view.scale;
    _maxima.place[index(view.place)] = std::max(_maxima.place[index(view.place)], value);
  }
}

}  // namespace dcheck
