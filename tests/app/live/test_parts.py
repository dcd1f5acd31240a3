"""Parts: each is made with the whole, when it is first asked for, and once."""

from __future__ import annotations

from gradwire.app.live.parts import Parts


class Noted:
    """A part that knows what it was made with."""

    def __init__(self, whole: Parts) -> None:
        self.whole = whole


def test_a_part_is_made_once_and_with_the_whole() -> None:
    whole, other = Parts(), Parts()
    part = whole.part(Noted)
    assert part.whole is whole and whole.part(Noted) is part
    assert other.part(Noted) is not part


def test_a_part_that_was_given_is_the_one_of_its_class() -> None:
    whole = Parts()
    given = whole.add_part(Noted(Parts()))
    assert whole.part(Noted) is given
