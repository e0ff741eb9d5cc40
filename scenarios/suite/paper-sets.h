// SPDX-License-Identifier: GPL-2.0-only
// The parts of the paper's suite: its runs of training and of bulk messages, and its figures about
// each.
#pragma once

#include "suite/suite.h"

#include <vector>

namespace geotrain
{

/// Time of an activation over a node pair of 1 Gbit/s, in times of a stage's forward, in the sets of
/// schedules: 4096 x 4096 x 2 bytes against 4 layers on an A100.
constexpr double messageOverForwardAt1Gbps = 5.0;

/// Returns the sets of runs that train.
std::vector<RunSet> TrainingRunSets(bool quick);

/// Returns the sets of runs that compare congestion controls and numbers of connections.
std::vector<RunSet> TransportRunSets(bool quick);

/// Returns the figures about iteration time, utilisation and schedules.
std::vector<SuiteFigure> TrainingFigures();

/// Returns the figures about prefills and fill jobs in bubbles.
std::vector<SuiteFigure> FillingFigures();

/// Returns the figures about the WAN and TCP.
std::vector<SuiteFigure> TransportFigures();

/// Returns the figures about Atlas's planner.
std::vector<SuiteFigure> PlanningFigures();

} // namespace geotrain
