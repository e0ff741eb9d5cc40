// SPDX-License-Identifier: GPL-2.0-only
#include "loader/regions.h"

#include <algorithm>
#include <cmath>

namespace geotrain
{

namespace
{

// Round-trip times in ms. Each region's row has the times to the regions above it.
const std::vector<std::vector<double>> roundTripMilliseconds{
    {},                                                                            // eastus
    {61.5},                                                                        // westus
    {15.8, 48.0},                                                                  // northcentralus
    {18.4, 58.5, 14.9},                                                            // canadacentral
    {117.0, 186.3, 137.1, 130.2},                                                  // brazilsouth
    {66.2, 124.9, 81.1, 83.5, 171.2},                                              // northeurope
    {80.1, 140.6, 95.1, 97.4, 185.2, 15.0},                                        // westeurope
    {76.1, 136.0, 91.4, 93.1, 180.5, 10.9, 7.3},                                   // uksouth
    {156.0, 105.3, 141.7, 152.8, 266.7, 230.6, 224.0, 229.0},                      // japaneast
    {178.3, 129.5, 164.0, 177.4, 303.8, 236.5, 233.2, 224.9, 29.9},                // koreacentral
    {196.6, 215.3, 213.8, 206.3, 302.3, 129.3, 125.8, 120.8, 116.1, 122.9},        // centralindia
    {234.0, 138.0, 181.5, 196.6, 323.2, 249.7, 245.6, 242.6, 101.6, 129.1, 135.6}, // australiaeast
    {1.7, 66.6, 20.8, 18.1, 118.3, 67.1, 80.3, 76.0, 161.9, 184.4, 197.0, 207.5},  // us-east-1
    {79.7,
     21.2,
     65.3,
     76.9,
     197.3,
     146.9,
     158.5,
     158.6,
     97.8,
     121.2,
     208.2,
     157.8,
     68.5}, // us-west-2
    {88.5,
     158.7,
     107.3,
     100.1,
     193.9,
     22.9,
     7.2,
     15.8,
     242.8,
     246.1,
     136.0,
     263.2,
     89.8,
     148.2}, // eu-central-1
    {35.5,
     51.6,
     12.8,
     31.8,
     144.4,
     100.9,
     107.5,
     102.8,
     145.1,
     167.6,
     241.2,
     188.2,
     28.4,
     64.6,
     107.9}, // us-central1
    {84.3,
     147.5,
     99.6,
     95.3,
     193.7,
     18.3,
     4.9,
     12.7,
     225.3,
     244.4,
     135.5,
     261.1,
     84.5,
     161.4,
     9.2,
     103.0}, // europe-west4
    {221.3,
     172.1,
     205.2,
     224.2,
     333.2,
     189.1,
     177.2,
     180.5,
     70.3,
     86.8,
     56.6,
     92.7,
     216.5,
     170.2,
     206.2,
     190.0,
     205.8}, // asia-southeast1
};

} // namespace

const std::vector<Region>&
Regions()
{
    static const std::vector<Region> regions{
        {"eastus", "Azure", "Virginia", "azure:eastus"},
        {"westus", "Azure", "California", "azure:westus"},
        {"northcentralus", "Azure", "Illinois", "azure:northcentralus"},
        {"canadacentral", "Azure", "Toronto", "azure:canadacentral"},
        {"brazilsouth", "Azure", "Sao Paulo", "azure:brazilsouth"},
        {"northeurope", "Azure", "Ireland", "azure:northeurope"},
        {"westeurope", "Azure", "Netherlands", "azure:westeurope"},
        {"uksouth", "Azure", "London", "azure:uksouth"},
        {"japaneast", "Azure", "Tokyo", "azure:japaneast"},
        {"koreacentral", "Azure", "Seoul", "azure:koreacentral"},
        {"centralindia", "Azure", "Pune", "azure:centralindia"},
        {"australiaeast", "Azure", "Sydney", "azure:australiaeast"},
        {"us-east-1", "AWS", "Virginia", "aws:us-east-1"},
        {"us-west-2", "AWS", "Oregon", "aws:us-west-2"},
        {"eu-central-1", "AWS", "Frankfurt", "aws:eu-central-1"},
        {"us-central1", "Google Cloud", "Iowa", "gcp:us-central1-a"},
        {"europe-west4", "Google Cloud", "Netherlands", "gcp:europe-west4-a"},
        {"asia-southeast1", "Google Cloud", "Singapore", "gcp:asia-southeast1-a"},
    };
    return regions;
}

std::optional<std::size_t>
FindRegion(const std::string& name)
{
    const auto& regions = Regions();
    const auto found = std::find_if(regions.begin(),
                                    regions.end(),
                                    [&name](const Region& region) { return region.name == name; });
    if (found == regions.end())
    {
        return std::nullopt;
    }
    return static_cast<std::size_t>(found - regions.begin());
}

Duration
RegionRoundTrip(std::size_t a, std::size_t b)
{
    const double milliseconds = roundTripMilliseconds.at(std::max(a, b)).at(std::min(a, b));
    return Duration::Microseconds(std::llround(milliseconds * 1000));
}

std::string
RegionSource()
{
    return "Skyplane's measurements (Jain et al., NSDI'23; Apache-2.0), smallest ping over premium "
           "networks";
}

} // namespace geotrain
