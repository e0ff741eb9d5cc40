// SPDX-License-Identifier: GPL-2.0-only
// Names the schema's messages for headers: only the loader's sources know what is in them.
#pragma once

namespace geotrain::scenario
{

class CrossTraffic;
class InNetwork;
class Job;
class Model;
class Parallelism;
class Run;
class Scenario;
class Transformer;
class Transport;
class WanLink;

} // namespace geotrain::scenario
