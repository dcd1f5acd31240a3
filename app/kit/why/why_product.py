"""Words for the product that makes a gradient 0 or NaN: its factors, its elements, and the sentence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gradwire.app.base.translation import decimal, grouped, tr
from gradwire.app.live.explanation.run_facts import Facts
from gradwire.app.look.numbers import MINUS, equals, fmt, index_text
from gradwire.app.look.status_texts import cause_word
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.explain.broken_values import Calculation
from gradwire.engine.explain.products import Product

# Block types that are written as a sign between their operands.
SIGNS = {"Add": "+", "Subtract": "−", "Multiply": "×", "Divide": "÷"}


@dataclass(frozen=True)
class Factor:
    """A number of a product, where it comes from, and its colour; the one that decides has a ring."""

    number: str
    origin: str
    token: str
    is_ringed: bool = False


@dataclass(frozen=True)
class ProductText:
    """The texts of a product: two factors and the result, and where it is NaN, a heading and the rows.

    `place` says which element it is of which wire. A `sign` other than × joins the operands of another calculation.
    """

    place: str
    boxes: tuple[Factor, ...]
    headings: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    broken: frozenset[int] = frozenset()
    rest: str = ""
    sign: str = "×"

    @property
    def spoken(self) -> str:
        """The product as a sentence for a screen reader."""
        *factors, result = self.boxes
        texts = [tr("{number} ({origin})", number=item.number, origin=item.origin) for item in factors]
        told = f" {self.sign} ".join(texts)
        return tr("{factors} is {result}, the {whose}.", factors=told, result=result.number, whose=result.origin)


def slope_sentence(facts: Facts, product: Product) -> str:
    """Returns why the product is NaN, in two or three sentences."""
    block, source, by = facts.name(product.at), facts.name(product.source.path), facts.name(product.by)
    x = equals(product.row.x)
    is_passed_over = product.cause is Cause.NOT_SELECTED and product.is_value_finite
    if is_passed_over:
        return tr(
            "The value is fine: for {source} {x}, {by} does not select {block}. But back-propagation still visits "
            "{block} there, and 0 × ∞ is not a number.",
            source=source, x=x, by=by, block=block,
        )  # fmt: skip
    return tr(
        "{block} receives a gradient of 0 there, and its slope at {source} {x} is infinite: 0 × ∞ is not a number.",
        block=block, source=source, x=x,
    )  # fmt: skip


def calculated_sentence(facts: Facts, told: Sequence[Calculation]) -> str:
    """Returns what is calculated where a value breaks, and what makes the first NaN of it."""
    first, *then = told
    text, block = written(facts, first), facts.label(first.at)
    if first.limit is not None:
        limit = decimal(f"{first.limit:.2f}")
        said = tr("{text} is larger than a number can be (the limit is {limit}).", text=text, limit=limit)
    elif math.isnan(first.result):
        said = tr("{block} makes {text}, which is not a number.", block=block, text=text)
    else:
        said = tr("{block} makes {text}, which is infinite.", block=block, text=text)
    more = [tr("{block} then makes {text}.", block=facts.label(item.at), text=written(facts, item)) for item in then]
    return " ".join([said, *more])


def calculated_text(facts: Facts, told: Sequence[Calculation]) -> ProductText:
    """Returns the texts of the last calculation: its operands, or where it has no sign all of it, and the result."""
    last = told[-1]
    sign = _sign(facts, last)
    whence = [tr("from {block}", block=facts.label(source)) for source in last.sources]
    given = [*zip(map(_number, last.operands), whence, strict=True)] if sign else [(written(facts, last), whence[0])]
    ink = "value" if all(map(math.isfinite, last.operands)) else "alarm"
    result = Factor(_number(last.result), tr("value of {block}", block=facts.label(last.at)), "alarm", is_ringed=True)
    return ProductText("", (*(Factor(number, origin, ink) for number, origin in given), result), sign=sign)


def _sign(facts: Facts, told: Calculation) -> str:
    instance = facts.instances.get(told.at)
    return "" if instance is None or len(told.operands) != 2 else SIGNS.get(instance.block.type, "")


def written(facts: Facts, told: Calculation) -> str:
    """Returns a calculation without its result: `∞ ÷ ∞`, `exp(1000)`."""
    if not (sign := _sign(facts, told)):
        return told.text.replace("inf", "∞").replace("-", MINUS)
    left, right = map(_number, told.operands)
    return f"{left} {sign} ({right})" if right.startswith(MINUS) else f"{left} {sign} {right}"


def _number(number: float) -> str:
    return fmt(number).replace("inf", "∞")


def broken_text(facts: Facts, product: Product) -> ProductText:
    """Returns the texts of a product that is NaN."""
    row, source = product.row, facts.name(product.source.path)
    element = f"{source}{index_text(row.index)}"
    place = tr("wire {source} → {block}.{port}", source=source, block=facts.name(product.at), port=product.port)
    if row.index:
        place = tr("{wire}, element {index}", wire=place, index=index_text(row.index).strip("[]"))
    boxes = (
        Factor(fmt(row.incoming), _whence(facts, product) or tr("incoming gradient"), "grad.text"),
        Factor(fmt(row.slope), _slope_origin(facts, product), "alarm"),
        Factor(fmt(row.result), tr("gradient of {element}", element=element), "alarm", is_ringed=True),
    )
    counts = {"count": grouped(product.count), "size": grouped(product.size)}
    if math.isnan(row.result):
        rest = tr("{count} of {size} elements are NaN.", **counts)
    else:
        rest = tr("{count} of {size} elements are infinite.", **counts)
    return ProductText(
        place,
        boxes,
        (source, "∂L/∂y", tr("slope"), f"∂L/∂{source}"),
        tuple(tuple(map(fmt, (item.x, item.incoming, item.slope, item.result))) for item in product.rows),
        frozenset(place for place, item in enumerate(product.rows) if not math.isfinite(item.result)),
        rest if product.size > len(product.rows) else "",
    )


def zero_text(facts: Facts, product: Product) -> ProductText:
    """Returns the texts of a product that is 0."""
    row, name = product.row, facts.name(product.at)
    is_cancelled = product.cause is Cause.CANCELLED
    whence = "" if row.incoming or is_cancelled else _whence(facts, product)
    is_stop, is_flat = facts.role(product.at) is Role.STOP, row.slope == 0
    rule = tr("rule of {block}", block=facts.label(product.at)) if is_stop else _slope_origin(facts, product)
    arriving = "≈ 0" if is_cancelled else fmt(row.incoming + 0.0)
    ink = "grad.text" if row.incoming and not is_cancelled else "text.primary"
    boxes = (
        Factor(arriving, whence or _arrival(facts, product.at), ink, not is_flat),
        Factor(fmt(row.slope + 0.0), rule, "text.primary", is_flat),
        Factor("0", tr("flows on to {block}", block=facts.label(product.source.path)), "text.primary"),
    )
    return ProductText(f"{name}{index_text(row.index)}", boxes)


def _whence(facts: Facts, product: Product) -> str:
    if product.cause is None:
        return ""
    return tr("from {block}: {cause}", block=facts.name(product.by), cause=cause_word(product.cause))


def _slope_origin(facts: Facts, product: Product) -> str:
    x = equals(product.row.x)
    return tr("slope of {block} at {port} {x}", block=facts.name(product.at), port=product.port, x=x)


def _arrival(facts: Facts, path: str) -> str:
    readers = {*facts.expanded.consumers.get(path, ())}
    if len(readers) != 1:
        return tr("incoming gradient")
    return tr("from {block}", block=facts.label(readers.pop()))
