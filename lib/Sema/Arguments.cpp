//===- Arguments.cpp - Matching arguments of language functions -----------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"

using namespace coll;
using namespace coll::sema;
using llvm::ArrayRef;
using llvm::StringRef;
using llvm::Twine;

namespace {

using Form = ParamSpec::Form;

/// "(op, v, init = ..., reverse = ...)"
std::string describe(ArrayRef<ParamSpec> params) {
  std::string text = "(";
  for (const ParamSpec &param : params) {
    if (text.size() > 1)
      text += ", ";
    text += param.name;
    if (param.form != Form::Required)
      text += " = ...";
  }
  return text + ")";
}

class Matcher {
public:
  Matcher(const ast::CallExpr &call, StringRef callee,
          ArrayRef<ParamSpec> params, DiagnosticEngine &diags)
      : call(call), callee(callee), params(params), diags(diags),
        matched(params.size(), nullptr) {}

  std::optional<MatchedArgs> run() {
    for (const ast::Arg &arg : call.getArgs()) {
      if (!(arg.name ? matchNamed(arg) : matchNext(arg)))
        return std::nullopt;
    }
    for (size_t i = 0; i < params.size(); ++i) {
      if (!matched[i] && params[i].form == Form::Required) {
        diags.error(call.getLoc(), Twine(callee) + describe(params) +
                                       " is called without '" + params[i].name +
                                       "'");
        return std::nullopt;
      }
    }
    return std::move(matched);
  }

private:
  bool matchNamed(const ast::Arg &arg) {
    seenName = true;
    llvm::SmallVector<StringRef, 4> names;
    for (size_t i = 0; i < params.size(); ++i) {
      names.push_back(params[i].name);
      if (params[i].name != arg.name.text)
        continue;
      if (!matched[i]) {
        matched[i] = arg.value;
        return true;
      }
      diags.error(arg.name.getLoc(), "argument '" + Twine(arg.name.text) +
                                         "' of " + callee + " is given twice");
      return false;
    }
    StringRef near = nearestName(arg.name.text, names);
    diags.error(arg.name.getLoc(),
                Twine(callee) + describe(params) + " has no argument '" +
                    arg.name.text + "'" +
                    (near.empty() ? Twine("")
                                  : "; did you mean '" + Twine(near) + "'?"));
    return false;
  }

  bool matchNext(const ast::Arg &arg) {
    if (seenName) {
      diags.error(arg.value->getLoc(),
                  Twine(callee) +
                      " has a positional argument after a named one");
      return false;
    }
    if (next < params.size() && params[next].form != Form::Named) {
      matched[next++] = arg.value;
      return true;
    }
    if (next < params.size())
      diags.error(arg.value->getLoc(), Twine(callee) + describe(params) +
                                           " takes '" + params[next].name +
                                           "' by its name only");
    else
      diags.error(
          arg.value->getLoc(),
          Twine(callee) + describe(params) + " is called with " +
              Twine(call.getArgs().size()) +
              (call.getArgs().size() == 1 ? " argument" : " arguments"));
    return false;
  }

  const ast::CallExpr &call;
  StringRef callee;
  ArrayRef<ParamSpec> params;
  DiagnosticEngine &diags;
  MatchedArgs matched;
  size_t next = 0;
  bool seenName = false;
};

} // namespace

std::optional<MatchedArgs>
coll::sema::matchArguments(const ast::CallExpr &call, const Twine &callee,
                           ArrayRef<ParamSpec> params,
                           DiagnosticEngine &diags) {
  std::string name = callee.str();
  return Matcher(call, name, params, diags).run();
}
