#pragma once
// dcheck as a library. The way of the data, one call after another, each with a result that can be used again:
//
//   read_model()    a file                          -> Model: the net, its named predicates, its checks
//   analyse()       the net                         -> Structure: invariants, bounds
//   explore()       the net, how to explore it      -> Explored: figures, and a StateSpace
//   parse_property(), read_formulas()  text         -> Property
//   written()       a Model, a format               -> WrittenModel: its text for dcheck and for other tools
//   answer()        a StateSpace, properties        -> Answers: verdicts, paths that show them
//
// check() does all of it in one call, and explores no further than the properties need. docs/library.md has an example.
//
// Nothing of this touches signals, standard output, standard error or MPI. A program that wants several ranks calls
// connect(), which begins MPI where a launcher started the program, makes a Cluster and Ranks of it, and passes them to
// explore() or check() on all ranks alike. To stop a run from another thread or a signal handler, give the limits a
// StopRequest. Input that is wrong throws InputError; a limit that is met before the first state throws ResourceError.

#include "dcheck/check/check.hpp"
#include "dcheck/comm/connect.hpp"
#include "dcheck/explore/explore.hpp"
#include "dcheck/net/structure.hpp"
#include "dcheck/parse/formula.hpp"
#include "dcheck/parse/model.hpp"
#include "dcheck/ranks/ranks.hpp"
#include "dcheck/write/write_model.hpp"
