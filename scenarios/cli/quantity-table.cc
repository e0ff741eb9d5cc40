// SPDX-License-Identifier: GPL-2.0-only
#include "cli/quantity-table.h"

#include "cli/terminal-width.h"

#include "comparison/text-table.h"

namespace geotrain
{

void
PrintQuantities(const nlohmann::ordered_json& quantities, const OutputOptions& options)
{
    TextTable table({"quantity", "value"});
    for (const auto& [name, value] : quantities.items())
    {
        table.AddRow({name,
                      value.is_number_float() ? ShortNumber(value.get<double>())
                      : value.is_string()     ? value.get<std::string>()
                                              : value.dump()});
    }
    PrintResults(options, quantities, table.Text(TableColumns()));
}

} // namespace geotrain
