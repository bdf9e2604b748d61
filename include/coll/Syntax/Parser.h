//===- Parser.h - From text to the syntax tree ------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_SYNTAX_PARSER_H
#define COLL_SYNTAX_PARSER_H

#include "coll/Syntax/AST.h"

namespace coll {
class DiagnosticEngine;
} // namespace coll

namespace coll::ast {

/// Parses a buffer of the source manager of `diags`, reports what is wrong and
/// goes on after it. The result is owned by `context` and never null. Where
/// errors were reported (`diags.hasErrors()`) it lacks the parts that could not
/// be parsed, but what is there is whole.
const SourceFile *parseSource(unsigned bufferId, DiagnosticEngine &diags,
                              Context &context);

/// Parses a buffer that holds one type or the name of an instance, 'pass<8>'.
/// Null after an error.
const TypeExpr *parseWholeType(unsigned bufferId, DiagnosticEngine &diags,
                               Context &context);

/// Parses a buffer that holds one expression. Null after an error.
const Expr *parseWholeExpr(unsigned bufferId, DiagnosticEngine &diags,
                           Context &context);

} // namespace coll::ast

#endif // COLL_SYNTAX_PARSER_H
