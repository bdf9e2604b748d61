//===- CollectiveLog.cpp - What a program's collectives became ------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Plan/CollectiveLog.h"
#include "coll/Plan/Describe.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace coll;

llvm::StringRef CollectiveRecord::getName() const {
  return planned ? planned->key.getName()
                 : llvm::StringRef(direct).split(" over ").first;
}

std::string CollectiveRecord::describePart() const {
  std::string text = "part of " + call;
  bool isPart = llvm::StringRef(call).rsplit('.').second != getName();
  std::string op;
  for (const std::string &option : options) {
    text += ", " + option;
    if (llvm::StringRef(option).starts_with("op = "))
      // With a plan the name is in the key.
      op = planned && option == "op = " + planned->key.op.name ? "" : option;
    else
      isPart |= option != "init" || !planned || !planned->key.hasInit;
  }
  return !call.empty() && isPart ? text : op;
}

/// All that tells one record from another.
static std::string getIdentity(const CollectiveRecord &record) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << record.target << '\n'
     << record.kernel << '\n'
     << record.file << ':' << record.line << ':' << record.column << '\n'
     << record.direct << '\n'
     << record.reason << '\n'
     << record.describePart() << '\n';
  if (record.planned) {
    os << record.planned->key.str() << '\n';
    record.planned->choice.print(os);
  }
  if (record.group)
    for (const GroupStep &step : record.group->steps)
      os << '\n' << step.text;
  return text;
}

void CollectiveLog::add(CollectiveRecord record) {
  ++numAdded;
  auto [place, isNew] =
      indices.try_emplace(getIdentity(record), records.size());
  if (isNew)
    records.push_back(std::move(record));
  else
    records[place->second].times += record.times;
}

static void writeKey(llvm::json::OStream &json, const PlanKey &key) {
  json.attribute("collective", key.getName());
  if (isShuffle(key.kind))
    json.attribute("argument", key.kind == CollectiveKind::Rotate
                                   ? int64_t(static_cast<int32_t>(key.argument))
                                   : int64_t(key.argument));
  else if (!key.op.arg)
    json.attribute("operator", key.op.getName());
  json.attribute("type", key.getTypeName());
  json.attribute("group", key.groupSize);
  json.attribute("warp", key.getWarpSize());
  json.attributeArray("present", [&] {
    for (unsigned lanes : key.getPresentCounts())
      json.value(lanes);
  });
  json.attribute(isShuffle(key.kind) ? "fill" : "init", key.hasInit);
  json.attribute("flags", key.isFlag);
  json.attribute("loop", key.isRepeated);
  json.attribute("for", key.demand == Demand::All     ? "all"
                        : key.demand == Demand::First ? "first"
                                                      : "last");
}

/// "does" has a text for each kind of warp.
static void writeStep(llvm::json::OStream &json,
                      const PlannedCollective &planned, size_t step) {
  const Plan &plan = planned.choice.plan;
  json.object([&] {
    json.attributeArray("does", [&] {
      for (const WarpShape &warp : getWarps(planned.key))
        json.value(describeStep(planned.key, plan, step, warp));
    });
    json.attribute("cost", plan.getSteps()[step].cost);
  });
}

static void writeChoice(llvm::json::OStream &json,
                        const PlannedCollective &planned) {
  const Choice &choice = planned.choice;
  json.attribute("strategy", choice.strategy);
  json.attribute("cost", choice.plan.getCost());
  json.attributeArray("others", [&] {
    for (const Rejected &other : choice.rejected)
      json.object([&] {
        json.attribute("strategy", other.strategy);
        json.attribute("cost", other.cost ? llvm::json::Value(*other.cost)
                                          : llvm::json::Value(nullptr));
        json.attribute("reason", other.reason);
      });
  });
  json.attributeArray("steps", [&] {
    for (size_t step = 0; step < choice.plan.getSteps().size(); ++step)
      writeStep(json, planned, step);
  });
}

void coll::writeJSON(llvm::json::OStream &json,
                     const CollectiveRecord &record) {
  json.object([&] {
    json.attribute("kernel", record.kernel);
    json.attribute("file", record.file);
    json.attribute("line", record.line);
    json.attribute("column", record.column);
    json.attribute("target", record.target);
    json.attribute("times", record.times);
    if (!record.call.empty()) {
      json.attribute("call", record.call);
      json.attribute("options", llvm::json::Array(record.options));
    }
    if (record.planned) {
      writeKey(json, record.planned->key);
      writeChoice(json, *record.planned);
    } else {
      json.attribute("collective", record.direct);
      json.attribute("strategy", nullptr);
      json.attribute("why", record.reason.empty()
                                ? llvm::json::Value(nullptr)
                                : llvm::json::Value(record.reason));
      if (record.group)
        json.attributeArray("steps", [&] {
          for (const GroupStep &step : record.group->steps)
            json.value(step.text);
        });
    }
  });
}
