"""Own gradients of pages in a program: a function that passes the outputs of a page on, with the library's own rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gradwire.engine.autodiff.own_gradients import OwnGradient, PageRule
from gradwire.engine.autodiff.own_rules import incoming_name
from gradwire.engine.blocktypes.expression import Application, Expression, topological_order
from gradwire.engine.blocktypes.primitives import Constant
from gradwire.engine.export.program_text import identifier

if TYPE_CHECKING:
    from gradwire.engine.export.program_lines import Lines

_NAME = "{name}"


def own_call(lines: Lines, application: Application) -> str:
    """Returns a call of the function for an own gradient, which stands beside the program.

    Its arguments are the inputs of the page, what its blocks compute, and what else the rule reads.
    """
    rule: PageRule = application.parameters["rule"]
    given = [item for item in application.inputs if item is not None]
    inner = type(lines)(lines.target, lines.names.inside(lines.texts.values()), lines.functions)
    names = [*rule.inputs, *rule.outputs]
    held = [inner.hold(item.spec, identifier(name)) for name, item in zip(names, given, strict=True)]
    arriving = [
        inner.hold(item.spec, identifier(incoming_name(name)))
        for name, item in zip(rule.outputs, application.outputs, strict=True)
    ]
    parts = rule.gradients(arriving, held)
    reached = [part for part in parts if part is not None]
    shared = _shared(lines, reached, [*held, *arriving])
    inner.texts |= {item: inner.names.take(lines.texts[item]) for item in shared}
    for item in (*held, *arriving, *shared):
        # No function that is defined later may have the name.
        lines.names.reserve(inner.texts[item])
    known = {item.application for item in (*held, *arriving, *shared)}
    inner.write(topological_order(reached, known), {}, reached)
    lines.refused += inner.refused
    lines.failed |= inner.failed
    text = _definition(inner, rule, [*held, *shared], arriving, [*parts, *[None for _ in shared]])
    texts = [
        _as_constant(lines, item) if part is None else lines.as_array(item)
        for item, part in zip(given, parts, strict=True)
    ]
    arguments = ", ".join([*texts, *map(lines.as_array, shared)])
    return lines.target.own_call.format(name=_defined(lines, text, rule.own.forward), arguments=arguments)


def _as_constant(lines: Lines, item: Expression) -> str:
    """Returns an argument that receives no gradient.

    A library may send zeros back for it, of which another own gradient before it could make something else.
    """
    text, constant = lines.as_array(item), lines.target.constant
    is_needed = bool(constant) and any(step.type is OwnGradient for step in topological_order([item]))
    return constant.format(text) if is_needed and item.spec.is_differentiable else text


def _shared(lines: Lines, parts: Sequence[Expression], held: Sequence[Expression]) -> list[Expression]:
    """Returns what the rule, and those that it applies itself, read of the program beside the page."""
    found: dict[Expression, None] = {}
    for application in topological_order(parts, {item.application for item in held}):
        found |= dict.fromkeys(item for item in application.outputs if item in lines.texts)
        if application.type is OwnGradient:
            rule: PageRule = application.parameters["rule"]
            given = [item for item in application.inputs if item is not None]
            arriving = [Application(Constant, (), {}, (item.spec,)).outputs[0] for item in application.outputs]
            inner = [item for item in rule.gradients(arriving, given) if item is not None]
            found |= dict.fromkeys(_shared(lines, inner, [*given, *arriving]))
    return list(found)


def _definition(
    inner: Lines,
    rule: PageRule,
    arguments: Sequence[Expression],
    arriving: Sequence[Expression],
    parts: Sequence[Expression | None],
) -> str:
    """Returns the source of the function, with a mark where its name stands."""
    target, first = inner.target, len(rule.inputs)
    values = [target.own_value.format(inner.texts[item]) for item in arguments[first : first + len(rule.outputs)]]
    texts = ["None" if part is None else inner.texts[part] for part in parts]
    body = inner.take_lines()
    found = {
        "about": f"The outputs of page {rule.own.forward}, with the gradient of page {rule.own.backward}.",
        "arguments": ", ".join(inner.texts[item] for item in arguments),
        "values": values[0] if len(values) == 1 else f"({', '.join(values)})",
        "incoming": ", ".join(inner.texts[item] for item in arriving),
        "parts": ", ".join(texts) + "," * (len(texts) == 1),
    }
    source = target.own_gradient
    for name, text in found.items():
        source = source.replace(f"{{{name}}}", text)
    indent = source.partition("{body}")[0].rpartition("\n")[2]
    return source.replace(f"{indent}{{body}}\n", "".join(f"{indent}{line}\n" for line in body))


def _defined(lines: Lines, text: str, page: str) -> str:
    """Returns the name of a function, the same one for the same text; it is defined from now on."""
    known = lines.functions.own_gradients
    if text not in known:
        words = ["own", "gradient", "of", page]
        is_class = f"class {_NAME}" in text
        name = "".join(word[:1].upper() + word[1:] for word in words) if is_class else "_".join(words)
        known[text] = lines.functions.take_name(identifier(name))
        lines.names.reserve(known[text])
        lines.functions.definitions.append(text.replace(_NAME, known[text]))
    return known[text]
