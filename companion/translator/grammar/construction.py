"""What a construction is: a function that derives one kind of clause or sentence."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from companion.translator.grammar.derivation import Derivation, Linked

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Construction:
    """One row of the table of constructions.

    Attributes:
        name: what `Pair.construction` says.
        build: makes a whole sentence.
        weight: how often it is drawn, relative to the others.
        shows: what the construction is about, in a few words.
    """

    name: str
    build: Callable[[Derivation], Linked]
    weight: float
    shows: str


def part(
    name: str,
) -> Callable[
    [Callable[Concatenate[Derivation, Arguments], Result]],
    Callable[Concatenate[Derivation, Arguments], Result],
]:
    """Note in the derivation that the construction `name` was used, whenever the function runs."""

    def decorate(
        build: Callable[Concatenate[Derivation, Arguments], Result],
    ) -> Callable[Concatenate[Derivation, Arguments], Result]:
        @wraps(build)
        def noted(d: Derivation, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
            d.parts.append(name)
            return build(d, *args, **kwargs)

        return noted

    return decorate
