#include "report/witness_json.hpp"

#include <nlohmann/json.hpp>
#include <string_view>

#include "dcheck/ctl/text.hpp"
#include "report/buffer.hpp"
#include "report/evidence_walk.hpp"

namespace dcheck {
namespace {

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string_view kind_name(Evidence::Kind kind) {
  switch (kind) {
    case Evidence::Kind::marking:
      return "marking";
    case Evidence::Kind::parts:
      return "parts";
    case Evidence::Kind::path:
      return "path";
    case Evidence::Kind::lasso:
      return "lasso";
    case Evidence::Kind::all_paths:
      break;
  }
  return "all_paths";
}

/// An array with an element a line, or [] where it has none.
class Array {
 public:
  explicit Array(Buffer& out) : _out(out) { put(_out, "["); }
  void next() {
    put(_out, "{}\n", _is_empty ? "" : ",");
    _is_empty = false;
  }
  void close() { put(_out, "{}]", _is_empty ? "" : "\n"); }

 private:
  Buffer& _out;
  bool _is_empty = true;
};

void put_step(Buffer& out, const Net& net, const PathStep& step) {
  put(out, R"({{"transition": {}, "changes": {{)", quoted(net.name(step.transition)));
  std::string_view between;
  for (const PathStep::Change& change : step.changes) {
    put(out, "{}{}: [{}, {}]", between, quoted(net.name(change.place)), change.before, change.after);
    between = ", ";
  }
  put(out, "}}}}");
}

void put_steps(Buffer& out, const Net& net, Marking& marking, std::span<const Transition> path) {
  Array steps(out);
  for (const Transition t : path) {
    steps.next();
    put_step(out, net, replay(net, marking, t));
  }
  steps.close();
}

void put_evidence(Buffer& out, const Net& net, Marking& marking, const Evidence& evidence) {
  put(out, R"({{"claim": {}, "holds": {}, "kind": "{}")", quoted(text_of(evidence.claim, net)), evidence.holds,
      kind_name(evidence.kind));
  put(out, R"(, "path": )");
  Array steps(out);
  walk(net, evidence, marking, [&](const EvidencePosition& position) {
    if (position.step == nullptr) return;
    steps.next();
    put_step(out, net, *position.step);
  });
  steps.close();
  const bool is_lasso = evidence.kind == Evidence::Kind::lasso;
  put(out, R"(, "loop": {}, "parts": )", is_lasso ? std::to_string(evidence.loop) : "null");
  Array parts(out);
  walk(net, evidence, marking, [&](const EvidencePosition& position) {
    for (const EvidencePart* part : position.parts) {
      parts.next();
      put(out, R"({{"at": {}, "child": {}, "evidence": )", part->at, part->child);
      put_evidence(out, net, marking, part->evidence);
      put(out, "}}");
    }
  });
  parts.close();
  put(out, R"(, "parts_left_out": {}}})", evidence.parts_left_out);
}

Marking initial_marking(const Net& net) {
  return {net.initial().begin(), net.initial().end()};
}

}  // namespace

std::string witness_json(const Net& net, const Evidence& evidence) {
  Buffer out;
  Marking marking = initial_marking(net);
  put_evidence(out, net, marking, evidence);
  return fmt::to_string(out);
}

std::string unbounded_json(const Net& net, const UnboundedEvidence& evidence) {
  Buffer out;
  Marking marking = initial_marking(net);
  put(out, R"({{"place": {}, "prefix": )", quoted(net.name(evidence.place)));
  put_steps(out, net, marking, evidence.prefix);
  put(out, R"(, "pump": )");
  put_steps(out, net, marking, evidence.pump);
  put(out, "}}");
  return fmt::to_string(out);
}

}  // namespace dcheck
