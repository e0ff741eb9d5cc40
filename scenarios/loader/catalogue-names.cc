// SPDX-License-Identifier: GPL-2.0-only
#include "loader/catalogue-names.h"

#include "fill-jobs/fill-catalogue.h"
#include "loader/nearest-names.h"
#include "schema/scenario.pb.h"

#include <algorithm>

namespace geotrain
{

namespace
{

/// Returns the entry of that name, in letters of any case; nullptr where there is none.
template <typename Catalogue>
auto
FindInAnyCase(const Catalogue& catalogue, const std::string& name)
{
    const auto found =
        std::find_if(catalogue.begin(),
                     catalogue.end(),
                     [&name](const auto& entry) { return AreSameInAnyCase(entry.name, name); });
    return found == catalogue.end() ? nullptr : &*found;
}

/// A NamingField says where a name stands, and what it names.
struct NamingField
{
    const std::string& field;
    const ScenarioFile& file;
    const char* what; ///< "GPU"
    const char* list; ///< kind of `geotrain list` that has the names
};

template <typename Catalogue>
const auto&
Named(const Catalogue& catalogue, const std::string& name, const NamingField& place)
{
    const auto* entry = FindInAnyCase(catalogue, name);
    if (entry == nullptr)
    {
        std::vector<std::string> names;
        for (const auto& known : catalogue)
        {
            names.push_back(known.name);
        }
        place.file.Fail(place.field, name, UnknownName(place.what, name, names, place.list));
    }
    return *entry;
}

/// Returns the name as the catalogue writes it; an unknown one as it is.
template <typename Catalogue>
std::string
AsCatalogued(const Catalogue& catalogue, const std::string& name)
{
    const auto* entry = FindInAnyCase(catalogue, name);
    return entry == nullptr ? name : entry->name;
}

/// Returns the name of a GPU as the scenario that describes it or the catalogue writes it.
std::string
NameOfGpu(const std::string& name, const scenario::Scenario& scenario)
{
    for (const auto& own : scenario.gpu_type())
    {
        if (AreSameInAnyCase(own.name(), name))
        {
            return own.name();
        }
    }
    return AsCatalogued(GpuCatalogue(), name);
}

/// Leaves the name of a model that the scenario itself describes.
void
UseCatalogueNamesInMix(scenario::FillJobs& jobs)
{
    for (auto& kind : *jobs.mutable_mix())
    {
        const auto& own = jobs.model();
        if (std::none_of(own.begin(),
                         own.end(),
                         [&kind](const auto& model) { return model.name() == kind.model(); }))
        {
            kind.set_model(AsCatalogued(FillModelCatalogue(), kind.model()));
        }
    }
}

} // namespace

GpuSpec
GpuNamed(const std::string& name, const std::string& field, const ScenarioFile& file)
{
    return GpuNamed(GpuCatalogue(), name, field, file);
}

GpuSpec
GpuNamed(const std::vector<GpuSpec>& catalogue,
         const std::string& name,
         const std::string& field,
         const ScenarioFile& file)
{
    return Named(catalogue, name, {field, file, "GPU", "gpus"});
}

TransformerSpec
ModelNamed(const std::string& name, const std::string& field, const ScenarioFile& file)
{
    return Named(ModelCatalogue(), name, {field, file, "model", "models"});
}

const ScheduleEntry&
ScheduleNamed(const std::string& name, const std::string& field, const ScenarioFile& file)
{
    return Named(ScheduleCatalogue(), name, {field, file, "schedule", "schedules"});
}

void
RequireCollective(const std::string& name, const std::string& field, const ScenarioFile& file)
{
    if (FindCollective(name) == nullptr)
    {
        std::vector<std::string> names;
        for (const CollectiveAlgorithm* algorithm : CollectiveCatalogue())
        {
            names.push_back(algorithm->name);
        }
        file.Fail(field, name, UnknownName("collective", name, names, "collectives"));
    }
}

void
UseCatalogueNames(scenario::Scenario& scenario)
{
    for (auto& dataCenter : *scenario.mutable_data_center())
    {
        if (dataCenter.has_gpu())
        {
            dataCenter.set_gpu(NameOfGpu(dataCenter.gpu(), scenario));
        }
        for (auto& other : *dataCenter.mutable_other_gpus())
        {
            other.set_gpu(NameOfGpu(other.gpu(), scenario));
        }
    }
    if (scenario.model().has_catalogue())
    {
        auto& model = *scenario.mutable_model();
        model.set_catalogue(AsCatalogued(ModelCatalogue(), model.catalogue()));
    }
    if (scenario.inference().has_model())
    {
        auto& inference = *scenario.mutable_inference();
        inference.set_model(AsCatalogued(ModelCatalogue(), inference.model()));
    }
    if (scenario.schedule().has_name())
    {
        auto& schedule = *scenario.mutable_schedule();
        schedule.set_name(AsCatalogued(ScheduleCatalogue(), schedule.name()));
    }
    for (int i = 0; i < scenario.plan().schedule_size(); ++i)
    {
        auto& name = *scenario.mutable_plan()->mutable_schedule(i);
        name = AsCatalogued(ScheduleCatalogue(), name);
    }
    if (scenario.has_fill_jobs())
    {
        UseCatalogueNamesInMix(*scenario.mutable_fill_jobs());
    }
}

} // namespace geotrain
