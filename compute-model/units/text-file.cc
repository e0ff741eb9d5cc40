#include "units/text-file.h"

#include "units/config-error.h"

#include <fstream>
#include <sstream>

namespace geotrain
{

std::string
ReadTextFile(const std::string& path)
{
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    if (in && in.peek() != std::ifstream::traits_type::eof())
    {
        text << in.rdbuf();
    }
    if (!in.is_open() || in.bad() || text.bad())
    {
        throw ConfigError(path, "", "", "cannot be read");
    }
    return text.str();
}

} // namespace geotrain
