"""What the club signs: the cookies of guests and the keys of seats."""

import hashlib
import hmac
import secrets

from itsdangerous import BadData, Signer, URLSafeSerializer

from qlub.club.errors import NotAllowed

COOKIE = "qlub_guest"
YEAR = 365 * 24 * 3600

_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
"""Letters that nobody mistakes for one another when reading a table's name aloud."""
_NAME_LENGTH = 10


class Tokens:
    """Signs and reads tokens with the key of this club.

    >>> tokens = Tokens(bytes(32))
    >>> tokens.read_cookie(tokens.cookie("3f")), tokens.read_cookie("3f.forged")
    ('3f', None)
    """

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._guests = Signer(key, salt="qlub.guest", digest_method=hashlib.sha256)
        self._seats = URLSafeSerializer(
            key, salt="qlub.seat", signer_kwargs={"digest_method": hashlib.sha256}
        )

    def cookie(self, guest: str) -> str:
        """Return the cookie that makes somebody a guest."""
        return self._guests.sign(guest).decode()

    def read_cookie(self, cookie: str | None) -> str | None:
        """Return the guest of a cookie that we signed, else None."""
        if not cookie or len(cookie) > 200:
            return None
        try:
            return self._guests.unsign(cookie).decode()
        except (BadData, UnicodeError):
            return None

    def seat_key(self, table: str, came: int) -> str:
        """Return the key to the seat that was taken with an entry of a table's log.

        It is good once: whoever takes the seat over does so with another entry.
        """
        key = self._seats.dumps([table, came])
        return key if isinstance(key, str) else key.decode()

    def read_seat_key(self, key: str) -> tuple[str, int]:
        """Return the table and the entry of a key that we signed."""
        try:
            table, came = self._seats.loads(key)
        except (BadData, UnicodeError, ValueError):
            raise NotAllowed("this key is not good") from None
        return str(table), int(came)

    def table_name(self, guest: str, request: str) -> str:
        """Return the name of the table that a guest asked for under an id: always the same."""
        digest = hmac.digest(self._key, f"table\n{guest}\n{request}".encode(), "sha256")
        number = int.from_bytes(digest, "big")
        return "".join(
            _LETTERS[number // len(_LETTERS) ** place % len(_LETTERS)]
            for place in range(_NAME_LENGTH)
        )


def new_guest() -> str:
    """Return an id for a guest that nobody can guess."""
    return secrets.token_hex(16)


def new_invite() -> str:
    """Return an invitation to a table that nobody can guess."""
    return secrets.token_urlsafe(16)


def new_request() -> str:
    """Return an id for a request that came without one."""
    return secrets.token_urlsafe(12)
