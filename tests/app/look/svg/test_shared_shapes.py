"""Shapes that are drawn several times stand once."""

import re

from gradwire.app.look.svg.shared_shapes import unshared, with_shared_shapes

PORT = '<rect class="casing" x="-2.6" y="38.4" width="5.2" height="11.2" rx="2"/><circle class="port" cx="0" r="4"/>'
LINE = '<path class="line" d="M0 0L144 0L144 102L0 102Z"/>'


def written_out(content: str, definitions: str) -> str:
    """Returns elements with those in place of each reference that it stands for."""
    known = dict(re.findall(r'<g id="(\w+)">(.*?)</g>', definitions))
    while found := re.search(r'<use href="#(q\w+)"/>', content):
        content = content.replace(found[0], known[found[1]])
    return content


def test_what_is_drawn_stays_the_same() -> None:
    content = f"<g>{PORT}<text>a</text>{LINE}{PORT}</g>" * 3 + LINE
    shared, definitions = with_shared_shapes(content, "href")
    assert len(shared + definitions) < len(content)
    assert shared.count("<text>a</text>") == 3
    path = re.search(r'<path id="p0" d="([^"]*)"/>', definitions)
    assert path is not None and path[1] == "M0 0L144 0L144 102L0 102Z"
    assert written_out(shared, definitions) == content.replace(LINE, '<use class="line" href="#p0"/>')


def test_shapes_with_end_tags_stay_where_they_are() -> None:
    content = unshared(PORT) * 5
    assert content.count("</rect>") == 5
    assert with_shared_shapes(content, "href") == (content, "")


def test_what_stands_once_is_not_defined() -> None:
    assert with_shared_shapes(PORT + LINE) == (PORT + LINE, "")


def test_paths_are_shared_from_25_letters_on_and_others_stay() -> None:
    for data, is_shared in (("M0 0L" + "1" * 19, False), ("M0 0L" + "1" * 20, True)):
        content = "".join(f'<path class="{look}" d="{data}"/><text>a</text>' for look in "ab")
        shared, definitions = with_shared_shapes(content, "href")
        assert definitions == (f'<path id="p0" d="{data}"/>' if is_shared else "")
        assert (shared != content) is is_shared


def test_what_is_shared_saves_letters() -> None:
    """A shape that stands twice stands once, beside a frame and two references."""
    reference, frame = '<use href="#q00"/>', '<g id="q00"></g>'
    for length in range(40, 60):
        shape = '<rect class="a" x="' + "1" * (length - 22) + '"/>'
        assert len(shape) == length
        content = f"{shape}<text>a</text>{shape}"
        shared, definitions = with_shared_shapes(content, "href")
        saves = length - 2 * len(reference) - len(frame) > 0
        assert (shared != content, definitions != "") == (saves, saves)
        assert written_out(shared, definitions) == content
