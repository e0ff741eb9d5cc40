// SPDX-License-Identifier: GPL-2.0-only
#include "loader/inlined-lines.h"

#include "units/text-file.h"

#include <sstream>

namespace geotrain
{

InlinedText
InlineLines(const std::string& path,
            const std::string& field,
            const std::string& lineField,
            google::protobuf::RepeatedPtrField<std::string>& lines,
            const ScenarioFile& file)
{
    std::string name = file.name + ": " + lineField;
    if (!path.empty())
    {
        name = file.PathOf(path, field);
        std::istringstream stream(ReadTextFile(name));
        for (std::string line; std::getline(stream, line);)
        {
            line.erase(line.find_last_not_of('\r') + 1);
            *lines.Add() = line;
        }
    }
    InlinedText inlined{name, ""};
    for (const auto& line : lines)
    {
        inlined.text += line + "\n";
    }
    return inlined;
}

} // namespace geotrain
