"""The one table of features; commands, menus, tabs and panels are made from its rows."""

from __future__ import annotations

from gradwire.app.features.compare import compare_lens
from gradwire.app.features.console import console_lens
from gradwire.app.features.conventions import check_view, convention_part
from gradwire.app.features.inspector import inspector
from gradwire.app.features.paths import path_part
from gradwire.app.features.precision import digits_part
from gradwire.app.features.problems import problems
from gradwire.app.features.slice import slice_part
from gradwire.app.features.steps import step_lens
from gradwire.app.features.training import training_lens
from gradwire.app.kit.feature import Feature

INSPECTOR, PROBLEMS = inspector.FEATURE, problems.FEATURE
FEATURES: tuple[Feature, ...] = (
    INSPECTOR,
    PROBLEMS,
    training_lens.FEATURE,
    step_lens.FEATURE,
    slice_part.FEATURE,
    path_part.FEATURE,
    digits_part.FEATURE,
    convention_part.FEATURE,
    check_view.FEATURE,
    compare_lens.FEATURE,
    console_lens.FEATURE,
)
PANELS = INSPECTOR, PROBLEMS
LENSES = tuple(feature for feature in FEATURES if feature.lens is not None)
# Each is opened by a command, at the first place that it is about.
PARTS = slice_part.FEATURE, path_part.FEATURE, digits_part.FEATURE, convention_part.FEATURE
