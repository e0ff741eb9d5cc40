// SPDX-License-Identifier: GPL-2.0-only
// Lays out what --help says of options.
#pragma once

#include <CLI/CLI.hpp>

namespace geotrain
{

/// A HelpFormatter breaks descriptions between words, so that they end with the terminal's columns.
class HelpFormatter : public CLI::Formatter
{
  public:
    std::string make_option_desc(const CLI::Option* option) const override;
};

} // namespace geotrain
