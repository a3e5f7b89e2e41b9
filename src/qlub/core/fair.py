"""Provably fair chance: a secret that is committed to before a game and revealed after it.

docs/fairness.md specifies the scheme byte by byte.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count

from qlub.core.chance import Below, Chance, Outcome
from qlub.core.errors import BadRequest, Unfair, shown
from qlub.core.fields import Fields
from qlub.core.game import CHANCE, Json
from qlub.core.record import Match, after, replay

SCHEME = "qlub-fair/1"
SECRET_BYTES = 32
LONGEST = 64
"""The most characters that a seat may add to the chance of a game."""

_SPAN = 1 << 64


@dataclass(frozen=True)
class Fair:
    """The secret behind the chance of one game, and the text that each seat added to it.

    >>> fair = Fair(bytes(32), ("Max was here", ""))
    >>> fair.commitment[:16]
    '66687aadf862bd77'
    >>> below = fair.below(0)
    >>> [below(6) for _ in range(8)]
    [1, 3, 3, 4, 3, 3, 1, 3]
    """

    secret: bytes = field(repr=False)
    entropy: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.secret) != SECRET_BYTES:
            raise ValueError(f"a secret has {SECRET_BYTES} bytes, not {len(self.secret)}")
        read_entropy(self.entropy)

    @classmethod
    def new(cls, entropy: Sequence[str]) -> "Fair":
        """Think of a secret that nobody can guess."""
        return cls(secrets.token_bytes(SECRET_BYTES), tuple(entropy))

    @property
    def commitment(self) -> str:
        return commit(self.secret)

    def below(self, k: int) -> Below:
        """Return the source of chance for the chance event that k others came before."""
        start, draws = self._prefix + k.to_bytes(8, "big"), count()

        def below(n: int) -> int:
            fitting = _SPAN - _SPAN % n  # from here on, some remainders would come up more often
            while True:
                message = start + next(draws).to_bytes(8, "big")
                x = int.from_bytes(hmac.digest(self.secret, message, "sha256")[:8], "big")
                if x < fitting:
                    return x % n

        return below

    def outcome(self, chance: Chance, k: int) -> Outcome:
        """Return what chance supplies in the chance event that k others came before."""
        return chance.sample(self.below(k))

    def proof(self) -> Json:
        """Return the field `fair` of a record, with the secret: for a game that has ended."""
        return {**sealed_proof(self.commitment, self.entropy), "secret": self.secret.hex()}

    @cached_property
    def _prefix(self) -> bytes:
        texts = [text.encode() for text in self.entropy]
        return SCHEME.encode() + b"".join(len(text).to_bytes(4, "big") + text for text in texts)


def commit(secret: bytes) -> str:
    """Return what may be shown of a secret before the game."""
    return hashlib.sha256(secret).hexdigest()


def sealed_proof(commitment: str, entropy: Sequence[str]) -> Json:
    """Return the field `fair` of a record, without the secret: for a game that is running."""
    return {
        "scheme": SCHEME,
        "commitment": commitment,
        "entropy": list(entropy),
        "secret": None,
    }


def chances(match: Match) -> int:
    """Return how many chance events a match has had: the number of the next one."""
    return sum(actor == CHANCE for actor, _ in match.events)


def verify(data: object, commitment: str | None = None) -> Match:
    """Replay a record and work out each of its chance events again from its secret.

    A commitment that somebody noted before the game must be the one in the record.
    """
    match = replay(data)
    fair = _revealed(match, commitment)
    state, k = _begun(match).state, 0
    for index, (actor, text) in enumerate(match.events):
        if actor == CHANCE:
            due = str(fair.outcome(state.awaited_chance(), k))
            if text != due:
                raise Unfair(f"event {index}: recorded is '{text}', but the secret gives '{due}'")
            k += 1
        state, _ = after(match.game, state, actor, text)
    return match


def _begun(match: Match) -> Match:
    """Return a match as it was before its first event."""
    if match.start is not None:
        return Match.from_position(match.start)
    return Match.new(match.game, len(match.names), match.options)


def _revealed(match: Match, noted: str | None) -> Fair:
    """Read the proof of a match, and check that its secret is the one that was committed to."""
    if match.fair is None:
        raise BadRequest("the record has no proof: its chance came from somewhere else")
    proof = Fields(match.fair, "'fair'", BadRequest)
    proof.expect(("scheme", "commitment", "entropy", "secret"))
    proof.word("scheme", (SCHEME,))
    commitment = _read_hex(proof, "commitment")
    entropy = read_entropy(proof.of("entropy", list))
    if len(entropy) != len(match.names):
        raise BadRequest(
            f"'entropy' has a text for each of {len(match.names)} seats, not {len(entropy)}"
        )
    if noted not in (None, commitment):
        raise Unfair(f"the commitment of the record is {commitment}, not {noted}")
    if proof.get("secret") is None:
        raise BadRequest(_why_sealed(match))
    fair = Fair(bytes.fromhex(_read_hex(proof, "secret")), entropy)
    if fair.commitment != commitment:
        raise Unfair(f"the secret does not fit the commitment: its own would be {fair.commitment}")
    return fair


def _why_sealed(match: Match) -> str:
    if match.state.is_over:
        return "the secret is not revealed, although the game is over"
    return "the secret is not revealed yet (the game was still running when this was saved)"


def _read_hex(proof: Fields, name: str) -> str:
    """Return a field of 32 bytes, written as lower-case hexadecimal digits."""
    text = proof.of(name, str)
    if not re.fullmatch(f"[0-9a-f]{{{2 * SECRET_BYTES}}}", text):
        raise BadRequest(f"'{name}' is {2 * SECRET_BYTES} digits 0 to 9, a to f, not {shown(text)}")
    return text


def read_entropy(texts: Iterable[object]) -> tuple[str, ...]:
    """Check the texts that the seats add to the chance of a game."""
    return tuple(map(_read_addition, texts))


def _read_addition(text: object) -> str:
    if not isinstance(text, str):
        raise BadRequest(f"what a seat adds to chance is a text, not {shown(text)}")
    if len(text) > LONGEST:
        raise BadRequest(f"a seat adds at most {LONGEST} characters to chance, not {len(text)}")
    try:
        text.encode()
    except UnicodeEncodeError:  # half a letter that JSON can write, but UTF-8 cannot
        raise BadRequest(f"what a seat adds to chance is UTF-8, not {shown(text)}") from None
    return text
