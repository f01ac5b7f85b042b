// What a start tag says about its element besides opening it. Inside of the extraction.
#pragma once

#include <string>

#include "html/elements.h"
#include "html/token.h"
#include "html/tokenizer.h"

namespace toolpost::html {

// By its role, whatever the element.
bool IsNavigation(const Token& tag);
// Hidden from people by an attribute or its style.
bool IsConcealed(Element element, const Token& tag);
// WHATWG 13.2.6.5: cannot be inside of svg or math, so it ends them.
bool LeavesForeignContent(Element element);
// How what follows the tag is to be read.
Tokenizer::Mode ModeAfter(Element element);
// "c++" of a class "language-c++"; empty when there is none.
std::string LanguageOf(const Token& tag);

}  // namespace toolpost::html
