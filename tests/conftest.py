from __future__ import annotations

import pytest

from tests.support import make_project


@pytest.fixture
def project(tmp_path):
    return make_project(tmp_path / "project")
