"""Scripts in fewer letters: names that are only variables are short, and all else stays."""

import pytest

from gradwire.app.features.share.web.html_page import CONDENSED
from tools.condense_pages import condensed, condensed_pages, joined


def test_the_scripts_of_pages_are_those_of_the_files() -> None:
    """Where this fails, `make page-scripts` has to write them anew."""
    assert CONDENSED.read_text(encoding="utf-8") == condensed_pages()


def test_scripts_that_call_each_other_are_condensed_as_one() -> None:
    whole = joined(("engine", "draw"))
    both, one = condensed(whole, frozenset()), condensed(joined(("draw",)), frozenset())
    assert len(one) < len(both) < len(condensed(whole))


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


@pytest.mark.parametrize(
    ("script", "short"),
    [
        # Names in the brackets of an arrow are variables, those of properties stay.
        (
            "const f1 = ({aaa, bbb: [ccc, ...ddd]}, eee = 2) => aaa + ccc + ddd + eee; const bbb = 1;",
            "let f1=({aaa,bbb:[a,...b]},c=2)=>aaa+a+b+c,bbb=1;",
        ),
        (
            "const run = (one, two) => { const [three, four] = one; for (const [five, six] of two) five + six; };",
            "let f=(b,d)=>{let[g,e]=b;for(let[a,c]of d)a+c};",
        ),
        # A colon of a choice makes no property, also within a property.
        (
            "const thing = given ? {one1: 1, two2} : three3; const one1 = 1, two2 = 2, three3 = 3;",
            "let b=given?{one1:1,two2}:a,one1=1,two2=2,a=3;",
        ),
        (
            "const pick = given ? one1 : other ? two2 : three3; const one1 = 1, two2 = 2, three3 = 3;",
            "let d=given?a:other?c:b,a=1,c=2,b=3;",
        ),
        (
            "const thing = [given ? one1 : two2, {one1: two2}]; const one1 = 1, two2 = 2;",
            "let b=[given?one1:a,{one1:a}],one1=1,a=2;",
        ),
        ("const text = `${{one1: two2}.one1}`; const one1 = 1, two2 = 2;", "let b=`${{one1:a}.one1}`,one1=1,a=2;"),
        (
            "const text = `${() => { if (one1) { return `${two2}`; } }}` + one1; const one1 = 1, two2 = 2;",
            "let c=`${()=>{if(a){return`${b}`}}}`+a,a=1,b=2;",
        ),
        ("x.one1?.two2; const one1 = 1, two2 = 2;", "x.one1?.two2;let one1=1,two2=2;"),
        ("one1 = 1; const {one1: two2} = three; two2;", "one1=1;let{one1:a}=three;a;"),
        # A label is no property either.
        (
            "try { one1 } finally { two2: 1 } do { three3 } while (x); const one1 = 1, two2 = 2, three3 = 3;",
            "try{a}finally{c:1}do{b}while(x);let a=1,c=2,b=3;",
        ),
        (
            "f(function name1() {}); function name2() {} name2; class Name3 {} new Name3();",
            "f(function c(){});function b(){}b;class a{}new a();",
        ),
        ("const one1 = x => x, two2 = y => { one1 => one1; };", "let a=x=>x,b=y=>{a=>a};"),
        # The shortest names are those of what stands most often; then the alphabet decides. Two letters stay.
        ("const often = 1, seldom = 2; seldom + often + often + often;", "let a=1,b=2;b+a+a+a;"),
        ("const zeta = 1, alpha = 2; alpha + zeta;", "let b=1,a=2;a+b;"),
        ("const aa = 1, aab = 2; aa + aab;", "let aa=1,a=2;aa+a;"),
        ("const one = 1; a + b;", "let c=1;a+b;"),
        # Declarations are joined where nothing stands between them, whatever their brackets hold.
        ("let one1 = 1; let two2; five; let six6;", "let a=1,two2;five;let b;"),
        ("let one1 = 1; const two2 = 2; let three3 = 3;", "let a=1;let c=2;let b=3;"),
        ("if (x) { const one1 = 1; } const two2 = 2; const three3 = 3;", "if(x){let a=1}let c=2,b=3;"),
        (
            "const one1 = {two: 1}; const three3 = [4]; const four4 = () => { five(); }; const six6 = 1;",
            "let b={two:1},d=[4],a=()=>{five()},c=1;",
        ),
        # Spaces stay only where two words, or two equal signs, would become one.
        ("x + +y; x - -y; x + -y; x++ + ++y; a+b;", "x+ +y;x- -y;x+-y;x++ + ++y;a+b;"),
        (
            "typeof x; a in b; typeof-x; 'a' in b; $a $b; a1 _b; return 1;",
            "typeof x;a in b;typeof-x;'a'in b;$a $b;a1 _b;return 1;",
        ),
        ("x = /a b[/]c/g; y = a / b / c; /* c */ a; // d\nb", "x=/a b[/]c/g;y=a/b/c;a;b"),
        ("a ?? b; a === b; a == b; f(...c); x => y;", "a??b;a===b;a==b;f(...c);x=>y;"),
        ("x = 0.5; y = 10.5; z = '0.5'; w = 0;", "x=.5;y=10.5;z='0.5';w=0;"),
        ("x = true; y = Infinity; a.true; b?.Infinity;", "x=!0;y=1/0;a.true;b?.Infinity;"),
    ],
)
def test_a_script_does_the_same_in_fewer_letters(script: str, short: str) -> None:
    assert condensed(script) == short


def test_only_called_entries_of_tables_stay_with_their_brackets() -> None:
    script = "const ONE = {exp: x => f(x, {log: 1}), log: g, tan: [1, 2]}; const KERNELS = {exp: 1, log: 2}; exp;"
    assert condensed(script, {"log"}) == "let b={log:g,},a={log:2};exp;"
    assert condensed(script, {"tan", "exp"}) == "let b={exp:x=>f(x,{log:1}),tan:[1,2]},a={exp:1,};exp;"
    other = "const TWO = {exp: 1}; const FLOATS2 = {exp: a, log: b}; const AREAS = {bars: c, cells: d}; two = {exp: 1};"
    assert condensed(other, {"fast log", "cells"}) == "let g={},f={log:b},e={cells:d};h={exp:1};"
