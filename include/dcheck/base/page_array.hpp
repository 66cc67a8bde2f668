#pragma once
// A growing array of bytes that never moves and never copies: address space is reserved once, pages
// are taken from the system as the array grows. New bytes are zero. Huge pages are asked for, so that
// a random access costs one cache miss and rarely a page walk as well.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace dcheck {

/// What all arrays of one exploration together may take. A limit is met before memory is taken, not
/// after: a table that is about to grow past it throws instead.
struct MemoryBudget {
  std::uint64_t limit = ~std::uint64_t{0};
  std::uint64_t used = 0;
  std::string reason = "the memory limit was reached";  // what is said then

  bool has_room_for(std::uint64_t bytes) const { return used <= limit && bytes <= limit - used; }
};

/// How far ahead an array takes memory: in whole huge pages, or as little as is cheap, where every byte counts; not at
/// all, where it does not grow.
enum class Ahead : std::uint8_t { huge_pages, little, none };

/// So many ranks will have their arrays in this process: each array reserves less, so that there is address space for
/// all of them. Called before there are threads.
void share_address_space(int ranks);

class PageArray {
 public:
  /// The budget, where given, must outlive the array.
  explicit PageArray(MemoryBudget* budget = nullptr, Ahead ahead = Ahead::huge_pages)
      : _budget(budget), _ahead(ahead) {}
  PageArray(PageArray&& other) noexcept { swap(other); }
  PageArray& operator=(PageArray&& other) noexcept {
    swap(other);
    return *this;
  }
  PageArray(const PageArray&) = delete;
  PageArray& operator=(const PageArray&) = delete;
  ~PageArray();

  /// Makes at least `bytes` bytes usable, with some room ahead so that calls in a loop are cheap.
  /// Throws ResourceError where the system has no more, or the budget is spent.
  void ensure(std::size_t bytes);

  /// Gives back all pages; the array is empty (and zero when it grows again).
  void clear();

  std::byte* data() const { return _data; }
  template <typename T>
  T* as() const {
    return reinterpret_cast<T*>(_data);
  }
  /// Bytes taken from the system, touched or not.
  std::size_t usable() const { return _usable; }

 private:
  void swap(PageArray& other) noexcept {
    std::swap(_data, other._data);
    std::swap(_usable, other._usable);
    std::swap(_reserved, other._reserved);
    std::swap(_budget, other._budget);
    std::swap(_ahead, other._ahead);
  }
  void reserve();
  std::size_t amount_for(std::size_t bytes) const;

  std::byte* _data = nullptr;
  std::size_t _usable = 0, _reserved = 0;
  MemoryBudget* _budget = nullptr;
  Ahead _ahead = Ahead::huge_pages;
};

/// PageArray of a plain type T: element i exists once ensure(i + 1) was called.
template <typename T>
class PageVector {
 public:
  explicit PageVector(MemoryBudget* budget = nullptr, Ahead ahead = Ahead::huge_pages) : _pages(budget, ahead) {}

  void ensure(std::size_t count) {
    if (count > _capacity) {
      _pages.ensure(count * sizeof(T));
      _capacity = _pages.usable() / sizeof(T);
    }
  }
  T* data() const { return _pages.as<T>(); }
  T& operator[](std::size_t i) const { return _pages.as<T>()[i]; }
  std::size_t capacity() const { return _capacity; }

 private:
  PageArray _pages;
  std::size_t _capacity = 0;
};

}  // namespace dcheck
