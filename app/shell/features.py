"""The one table of features; commands, menus, tabs and panels are made from its rows."""

from __future__ import annotations

from gradwire.app.features.checks import check_lens
from gradwire.app.features.compare import compare_lens
from gradwire.app.features.console import console_lens
from gradwire.app.features.conventions import convention_lens
from gradwire.app.features.flow import flow_lens
from gradwire.app.features.inspector import inspector
from gradwire.app.features.matrix import matrix_lens
from gradwire.app.features.paths import path_lens
from gradwire.app.features.precision import precision_lens
from gradwire.app.features.problems import problems
from gradwire.app.features.slice import slice_view
from gradwire.app.features.steps import step_lens
from gradwire.app.features.training import training_lens
from gradwire.app.kit.feature import Feature

INSPECTOR, PROBLEMS, SLICE = inspector.FEATURE, problems.FEATURE, slice_view.FEATURE
FEATURES: tuple[Feature, ...] = (
    INSPECTOR,
    PROBLEMS,
    SLICE,
    training_lens.FEATURE,
    step_lens.FEATURE,
    path_lens.FEATURE,
    check_lens.FEATURE,
    flow_lens.FEATURE,
    matrix_lens.FEATURE,
    precision_lens.FEATURE,
    convention_lens.FEATURE,
    compare_lens.FEATURE,
    console_lens.FEATURE,
)
LENSES = tuple(feature for feature in FEATURES if feature.lens is not None)
PANELS = tuple(feature for feature in FEATURES if feature.lens is None)
