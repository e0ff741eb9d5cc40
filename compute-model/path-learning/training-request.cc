// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/training-request.h"

#include "units/json-text.h"

namespace geotrain
{

std::string
ToArgument(const TrainingRequest& request)
{
    const TrainingSettings& settings = request.settings;
    nlohmann::json json{{"files", request.files},
                        {"out", request.out},
                        {"seconds", request.seconds},
                        {"quiet", request.isQuiet},
                        {"plain", settings.isPlain},
                        {"seed", settings.seed},
                        {"epochs", settings.epochs},
                        {"hidden", settings.hidden},
                        {"window_ns", settings.window.value_or(Duration()).ToNanoseconds()}};
    return json.dump();
}

TrainingRequest
FromArgument(const std::string& argument)
{
    const auto json = TryJson(argument);
    TrainingRequest request;
    TrainingSettings& settings = request.settings;
    json.at("files").get_to(request.files);
    json.at("out").get_to(request.out);
    json.at("seconds").get_to(request.seconds);
    json.at("quiet").get_to(request.isQuiet);
    json.at("plain").get_to(settings.isPlain);
    json.at("seed").get_to(settings.seed);
    json.at("epochs").get_to(settings.epochs);
    json.at("hidden").get_to(settings.hidden);
    if (const auto window = json.at("window_ns").get<std::int64_t>(); window > 0)
    {
        settings.window = Duration::Nanoseconds(window);
    }
    return request;
}

} // namespace geotrain
