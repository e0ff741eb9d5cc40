// SPDX-License-Identifier: GPL-2.0-only
// Lays out what --help says of options.
#pragma once

#include <CLI/CLI.hpp>

#include <cstddef>
#include <string>

namespace geotrain
{

/// A HelpFormatter breaks texts between words, so that they end with the terminal's columns.
class HelpFormatter : public CLI::Formatter
{
  public:
    std::string make_description(const CLI::App* app) const override;
    std::string make_option(const CLI::Option* option, bool isPositional) const override;
    std::string make_option_desc(const CLI::Option* option) const override;
    std::string make_subcommand(const CLI::App* app) const override;
    std::string make_footer(const CLI::App* app) const override;
};

/// Returns a closing text in lines of at most `width` characters. Lines that begin with a space are
/// commands: a longer one goes on in the next line, before one of its options and as a shell reads
/// it. All others are paragraphs, between empty lines or commands.
std::string FilledFooter(const std::string& footer, std::size_t width);

} // namespace geotrain
