// SPDX-License-Identifier: GPL-2.0-only
#include "cli/help-formatter.h"

#include "cli/terminal-width.h"
#include "comparison/text-table.h"

namespace geotrain
{

std::string
HelpFormatter::make_option_desc(const CLI::Option* option) const
{
    return BrokenIntoLines(option->get_description(), TableColumns() - get_column_width());
}

} // namespace geotrain
