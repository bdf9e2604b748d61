//===- LexerTest.cpp - Tokens ---------------------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Syntax/Lexer.h"
#include "ParseText.h"
#include "gtest/gtest.h"

using namespace coll;
using namespace coll::ast;
using Strings = std::vector<std::string>;

/// The texts of the tokens, and then the messages.
static Strings lex(llvm::StringRef text) {
  llvm::SourceMgr sources;
  unsigned id = sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(text, "t.coll"), {});
  DiagnosticEngine diags(sources);
  Strings result;
  for (const Token &token :
       tokenize(sources.getMemoryBuffer(id)->getBuffer(), diags))
    if (!token.is(TokenKind::EndOfFile))
      result.push_back(token.getText().str());
  for (const Diagnostic &diagnostic : diags.getDiagnostics())
    result.push_back("error: " + diagnostic.text);
  return result;
}

TEST(Lexer, RangesAreNoFractions) {
  EXPECT_EQ(
      lex("0..4 1.5..=2 t.0.1"),
      (Strings{"0", "..", "4", "1.5", "..=", "2", "t", ".", "0", ".", "1"}));
}

TEST(Lexer, Numbers) {
  EXPECT_EQ(lex("0xff 1_000 0b11 0o17 1e-3 2.5E+7 0x1.8p3 0xAp-2 0x1.e"),
            (Strings{"0xff", "1_000", "0b11", "0o17", "1e-3", "2.5E+7",
                     "0x1.8p3", "0xAp-2", "0x1", ".", "e"}));
}

TEST(Lexer, SuffixIsRefused) {
  EXPECT_EQ(lex("0.5f"),
            (Strings{"0.5", "error: unexpected suffix 'f' of a number; a "
                            "number takes the type of its context"}));
}

TEST(Lexer, GreaterStandsAlone) {
  EXPECT_EQ(lex("a >> b >>= c >= <<="),
            (Strings{"a", ">", ">", "b", ">", ">=", "c", ">=", "<<="}));
}

TEST(Lexer, CommentsNest) {
  EXPECT_EQ(lex("a /* b /* c */ d */ e // f /* \n g \xc3\xa9 // \xc3\xa9"),
            (Strings{"a", "e", "g", "error: unexpected byte 0xc3"}));
  EXPECT_EQ(lex("a /* /* */"), (Strings{"a", "error: comment is not closed"}));
}

TEST(Lexer, StrayBytes) {
  EXPECT_EQ(lex(llvm::StringRef("a \0 b", 5)),
            (Strings{"a", "b", "error: unexpected byte 0x00"}));
  EXPECT_EQ(lex("a $ b"),
            (Strings{"a", "b", "error: unexpected character '$'"}));
}

TEST(Lexer, Strings) {
  EXPECT_EQ(lex("\"a\\\"b\" c"), (Strings{"\"a\\\"b\"", "c"}));
  EXPECT_EQ(lex("\"a\nb"),
            (Strings{"\"a", "b", "error: string is not closed"}));
  EXPECT_EQ(lex("\"\\"), (Strings{"\"\\", "error: string is not closed"}));
}

TEST(Lexer, LinesBegin) {
  llvm::SourceMgr sources;
  DiagnosticEngine diags(sources);
  std::vector<Token> tokens = tokenize("a b\nc /* \n */ d", diags);
  ASSERT_EQ(tokens.size(), 5u);
  EXPECT_TRUE(tokens[0].startsLine);
  EXPECT_FALSE(tokens[1].startsLine);
  EXPECT_TRUE(tokens[2].startsLine);
  EXPECT_TRUE(tokens[3].startsLine);
}
