// SPDX-License-Identifier: GPL-2.0-only
// Reads the first block of comments of a scenario, which says what question it answers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace geotrain
{

/// A CommentParagraph is a part of a comment up to an empty line.
struct CommentParagraph
{
    std::string text;     ///< of prose, its lines joined
    bool drawing = false; ///< true: lines with columns, to be kept as they are
};

/// A HeadComment is the comment at the top of a scenario.
struct HeadComment
{
    std::string question;                     ///< its first sentence; empty without a comment
    std::vector<CommentParagraph> paragraphs; ///< what follows
};

/// Reads the lines at the top of `scenario` that begin with `#`.
HeadComment HeadCommentOf(std::string_view scenario);

} // namespace geotrain
