"""Scripts in fewer letters: names that are only variables are short, and all else stays."""

from gradwire.app.features.share.web.condensed import condensed


def test_variables_are_short_and_properties_keep_their_names() -> None:
    script = "const first = 1, width = 2; // both\nfirst + thing.width + thing.first1;"
    assert condensed(script) == "let a=1,width=2;a+thing.width+thing.first1;"


def test_names_of_the_browser_stay() -> None:
    script = "const say = text1 => document.title + text1;"
    assert condensed(script) == "let b=a=>document.title+a;"


def test_a_name_in_short_notation_stays() -> None:
    script = "const {live, open: mine = 1} = given; mine + live;"
    assert condensed(script) == "let{live,open:a=1}=given;a+live;"


def test_texts_stay_and_the_code_in_templates_is_shortened() -> None:
    script = "const mark = 'a  b'; const whole = `<g  ${mark ? ` x=\"${ mark }\"` : '' }  mark>`;"
    assert condensed(script) == "let a='a  b',b=`<g  ${a?` x=\"${a}\"`:''}  mark>`;"


def test_a_choice_between_two_variables_is_no_property() -> None:
    script = "const one1 = 1, two2 = 2; const both = x ? one1 : two2;"
    assert condensed(script) == "let a=1,b=2,c=x?a:b;"


def test_variables_of_a_block_are_no_properties() -> None:
    script = "const work = () => { const one1 = 1, two2 = {one2: one1}; return two2; };"
    assert condensed(script) == "let c=()=>{let a=1,b={one2:a};return b};"


def test_declarations_that_follow_each_other_are_one() -> None:
    script = "const a = 1; const f = x => { let b = 1; let c; return b; }; for (const d of e) a; const g = 2;"
    assert condensed(script) == "let a=1,f=x=>{let b=1,c;return b};for(let d of e)a;let g=2;"


def test_tables_keep_the_functions_that_are_called() -> None:
    script = "const ONE = {exp: x => f(x, {x: 1}), log: Math.log, sign: x => x}; const two = {log: 1};"
    assert condensed(script, {"log"}) == "let a={log:Math.log,},b={log:1};"
    assert "sign" in condensed(script)


def test_faster_loops_are_named_apart() -> None:
    script = "const FLOATS1 = {exp: f, log: g};"
    assert condensed(script, {"exp", "log"}) == "let a={};"
    assert condensed(script, {"exp", "fast exp"}) == "let a={exp:f,};"


def test_words_stand_in_fewer_letters_but_not_as_properties() -> None:
    script = "const value = undefined; value.const + value.undefined;"
    assert condensed(script) == "let a=void 0;a.const+a.undefined;"


def test_what_stays_has_the_shortest_names() -> None:
    script = "const ONE = {exp: x => seldom + seldom + seldom}; const seldom = 1, often = 2; often + often;"
    assert condensed(script, ()) == "let c={},b=1,a=2;a+a;"
