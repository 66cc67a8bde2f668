#pragma once
// Collectives of Cluster for any type that Boost.Serialization can carry. For what is sent once: net,
// request for a plan, options, reports. The types' archives are included by those who define serialize().

#include <boost/archive/binary_iarchive.hpp>
#include <boost/archive/binary_oarchive.hpp>
#include <boost/serialization/optional.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "dcheck/comm/cluster.hpp"

namespace dcheck {

template <typename T>
std::string to_bytes(const T& value) {
  std::ostringstream out;
  boost::archive::binary_oarchive archive(out, boost::archive::no_header);
  archive << value;
  return std::move(out).str();
}

template <typename T>
void from_bytes(std::string bytes, T& value) {
  std::istringstream in(std::move(bytes));
  boost::archive::binary_iarchive archive(in, boost::archive::no_header);
  archive >> value;
}

/// Collective. Rank 0's value replaces that of all others.
template <typename T>
void broadcast(Cluster& cluster, T& value) {
  if (cluster.size() == 1) return;
  std::string bytes;
  if (cluster.rank() == rank_0) bytes = to_bytes(value);
  cluster.broadcast(bytes);
  if (cluster.rank() != rank_0) from_bytes(std::move(bytes), value);
}

/// Collective. Rank 0 gets the values of all ranks in their order, others nothing.
template <typename T>
std::vector<T> gather(Cluster& cluster, const T& value) {
  std::vector<std::string> parts = cluster.gather(to_bytes(value));
  std::vector<T> values(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) from_bytes(std::move(parts[i]), values[i]);
  return values;
}

}  // namespace dcheck
