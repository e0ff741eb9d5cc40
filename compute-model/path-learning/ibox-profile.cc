// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/path-file.h"

#include "units/config-error.h"
#include "units/json-text.h"

#include <cmath>

namespace geotrain
{

namespace
{

constexpr std::size_t mostSeconds = 1000000; // length of a pattern of cross traffic

/// ProfileReader reads the fields of one profile.
class ProfileReader
{
  public:
    ProfileReader(const std::string& file, const std::string& text)
        : m_file(file),
          m_root(ParseJson(text, file))
    {
    }

    PathModel Read() const
    {
        const nlohmann::json& config = Member(m_root, "config", "");
        const bool isUpload = IsUpload();
        PathModel model;
        model.model = "ibox";
        model.forward = Direction(config, isUpload ? "uplink" : "downlink");
        model.backward = Direction(config, isUpload ? "downlink" : "uplink");
        return model;
    }

  private:
    [[noreturn]] void
    Fail(const std::string& field, const std::string& value, const std::string& rule) const
    {
        throw ConfigError(m_file, field, value, rule);
    }

    const nlohmann::json&
    Member(const nlohmann::json& object, const std::string& name, const std::string& path) const
    {
        if (!object.is_object() || !object.contains(name))
        {
            Fail(path + name, "", "must be there, as in an iBoxNet network profile");
        }
        return object.at(name);
    }

    bool IsUpload() const
    {
        const nlohmann::json& direction = Member(m_root, "data_flow_direction", "");
        if (direction != "upload" && direction != "download")
        {
            Fail("data_flow_direction", direction.dump(), "must be upload or download");
        }
        return direction == "upload";
    }

    double Number(const nlohmann::json& value, const std::string& field, double most) const
    {
        if (!value.is_number() || !(value.get<double>() >= 0 && value.get<double>() <= most))
        {
            Fail(field, value.dump(), "must be a number from 0 to " + std::to_string(most));
        }
        return value.get<double>();
    }

    PathParameters Direction(const nlohmann::json& config, const std::string& name) const
    {
        const std::string path = "config." + name + ".";
        const nlohmann::json& link = Member(config, name, "config.");
        const auto number = [&](const std::string& field, double most)
        { return Number(Member(link, field, path), path + field, most); };
        PathParameters direction;
        direction.rate =
            BitRate::BitsPerSecond(std::llround(number("bottleneck_bandwidth", 1e11) * 1e3));
        direction.propagation =
            Duration::Nanoseconds(std::llround(number("propagation_delay", 1e4) * 1e6));
        direction.buffer = Bytes::Of(std::llround(number("buffer_size_bytes", 1e12)));
        if (direction.rate < BitRate::BitsPerSecond(1) || direction.buffer < Bytes::Of(1))
        {
            Fail(path + "bottleneck_bandwidth", "", "and buffer_size_bytes must be > 0");
        }
        const nlohmann::json& pattern = Member(link, "cross_traffic_pattern", path);
        if (!pattern.is_array() || pattern.size() > mostSeconds)
        {
            Fail(path + "cross_traffic_pattern", "", "must be a list of numbers");
        }
        direction.crossTraffic.bin = Duration::Milliseconds(1000);
        for (const nlohmann::json& value : pattern)
        {
            direction.crossTraffic.bitsPerSecond.push_back(
                Number(value, path + "cross_traffic_pattern", 1e11) * 1e3);
        }
        return direction;
    }

    const std::string& m_file;
    nlohmann::json m_root;
};

} // namespace

PathModel
ParseIBoxProfile(const std::string& file, const std::string& text)
{
    return ProfileReader(file, text).Read();
}

} // namespace geotrain
