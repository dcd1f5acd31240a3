"""Words for the product 0 × ∞ that makes a gradient NaN: its factors, its elements, and the fix."""

from __future__ import annotations

from dataclasses import dataclass

from gradwire.app.base.translation import grouped, tr, tr_sentence
from gradwire.app.live.explanation.run_facts import Facts
from gradwire.app.live.questions.product_question import SlopeFound
from gradwire.app.look.numbers import equals, fmt, index_text
from gradwire.app.look.status_texts import cause_word
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.explain.infinite_slopes import Product


@dataclass(frozen=True)
class SlopeText:
    """The texts of a product: the number and the origin of each factor, a heading, the rows, and the fix."""

    place: str
    boxes: tuple[tuple[str, str], ...]
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    broken: frozenset[int]
    rest: str
    fix_title: str
    fix_detail: str

    @property
    def spoken(self) -> str:
        """The product as a sentence for a screen reader."""
        (zero, whence), (slope, of), (result, whose) = self.boxes
        factors = (
            tr("{number} ({origin})", number=zero, origin=whence),
            tr("{number} ({origin})", number=slope, origin=of),
        )
        return tr("{factors} is {result}, the {whose}.", factors=" × ".join(factors), result=result, whose=whose)


def slope_sentence(facts: Facts, product: Product) -> str:
    """Returns why the product is NaN, in two or three sentences."""
    block, source, by = facts.name(product.at), facts.name(product.source.path), facts.name(product.by)
    x = equals(product.broken.x)
    is_passed_over = product.cause is Cause.NOT_SELECTED and product.is_value_finite
    if is_passed_over:
        return tr(
            "The value is fine: for {source} {x}, {by} does not select {block}. But back-propagation still visits "
            "{block} there, and 0 × ∞ is not a number.",
            source=source, x=x, by=by, block=block,
        )  # fmt: skip
    return tr(
        "{block} receives a gradient of 0 there, and its slope at {source} {x} is infinite: 0 × ∞ is not a "
        "number.",
        block=block, source=source, x=x,
    )  # fmt: skip


def slope_text(facts: Facts, found: SlopeFound) -> SlopeText:
    """Returns the texts of a product and of its fix."""
    product, row = found.product, found.product.broken
    block, source = facts.name(product.at), facts.name(product.source.path)
    origin = tr("incoming gradient")
    if product.cause is not None:
        origin = tr("from {block}: {cause}", block=facts.name(product.by), cause=cause_word(product.cause))
    element = f"{source}{index_text(row.index)}"
    place = tr("wire {source} → {block}.{port}", source=source, block=block, port=product.port)
    if row.index:
        place = tr("{wire}, element {index}", wire=place, index=index_text(row.index).strip("[]"))
    rest = product.size - len(product.rows)
    return SlopeText(
        place,
        (
            (fmt(row.incoming), origin),
            (fmt(row.slope), tr("slope of {block} at {port} {x}", block=block, port=product.port, x=equals(row.x))),
            (fmt(row.result), tr("gradient of {element}", element=element)),
        ),
        (source, "∂L/∂y", tr("slope"), f"∂L/∂{source}"),
        tuple(tuple(map(fmt, (item.x, item.incoming, item.slope, item.result))) for item in product.rows),
        frozenset(place for place, item in enumerate(product.rows) if item.result != item.result),
        tr("{count} of {size} elements are NaN.", count=grouped(product.count), size=grouped(product.size))
        if rest
        else "",
        tr("Fix: keep {x} away from {block}", x=fmt(row.x), block=block),
        "" if found.fix is None else tr_sentence(found.fix.detail or found.fix.text),
    )
