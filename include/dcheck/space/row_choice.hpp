#pragma once
// How rows are kept, in what order they are handled, and what of them waits: plain data.

#include "dcheck/store/store_choice.hpp"

namespace dcheck {

/// Of the rows of one rank. Young-first, a few hundred of the youngest rows are handled at a time, in the order in
/// which they were found: what is found next then leads mostly to young rows, whose keys a cache has. With lanes, rows
/// are handled last in first out in either order, so that lanes gather; depth-first then means that nothing that was
/// just found is kept back.
enum class Order : std::uint8_t { automatic, breadth_first, depth_first, young_first };

/// What waits of a row: its number, by which its key is read back, or its key as well.
enum class Waiting : std::uint8_t { number, full };

/// How sets of lanes are stored: equal masks once and their numbers per row, where that pays, always, never. Also under
/// `numbered`, rows get masks of their own where most are different.
enum class MaskForm : std::uint8_t { automatic, numbered, plain };

struct RowChoice {
  StoreChoice store;
  Order order = Order::automatic;
  Waiting waiting = Waiting::number;
  bool by_level = false;  // breadth-first, in step
  MaskForm masks = MaskForm::automatic;
};

}  // namespace dcheck
