"""Scripts in fewer letters: names that are only variables are short, and all else stays."""

from gradwire.app.web.condensed import condensed


def test_variables_are_short_and_properties_keep_their_names() -> None:
    script = "const first = 1, width = 2; // both\nfirst + thing.width + thing.first1;"
    assert condensed(script) == "const a=1,width=2;a+thing.width+thing.first1;"


def test_names_of_the_browser_stay() -> None:
    script = "const say = text1 => document.title + text1;"
    assert condensed(script) == "const b=a=>document.title+a;"


def test_a_name_in_short_notation_stays() -> None:
    script = "const {live, open: mine = 1} = given; mine + live;"
    assert condensed(script) == "const{live,open:a=1}=given;a+live;"


def test_texts_stay_and_the_code_in_templates_is_shortened() -> None:
    script = "const mark = 'a  b'; const whole = `<g  ${mark ? ` x=\"${ mark }\"` : '' }  mark>`;"
    assert condensed(script) == "const a='a  b';const b=`<g  ${a?` x=\"${a}\"`:''}  mark>`;"


def test_a_choice_between_two_variables_is_no_property() -> None:
    script = "const one1 = 1, two2 = 2; const both = x ? one1 : two2;"
    assert condensed(script) == "const a=1,b=2;const c=x?a:b;"
