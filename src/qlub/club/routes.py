"""The HTTP interface."""

import gzip
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query, Request, Response

from qlub.bots import bots_of
from qlub.club import answers
from qlub.club.commands import REACTIONS, Command, Identifier, Invite, Message, Name, NewTable
from qlub.club.errors import NoGuest, NotNow
from qlub.club.house import House
from qlub.club.metrics import COMMANDS
from qlub.club.pages import accepts_gzip
from qlub.club.store.store import Row
from qlub.club.telling import summary, told_record, welcome
from qlub.club.tokens import COOKIE, YEAR, new_guest
from qlub.core.registry import all_games, find_game

MOST_LISTED = 100
MOST_RESULTS = 1000

REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": answers.Refusal, "description": description}
    for status, description in {
        400: "It does not have the shape that it should have.",
        401: "Tell us your name first: PUT /api/guest.",
        403: "Somebody else may do this, or it came from a page of another site.",
        404: "There is no such thing, or not for you.",
        409: "Not now: the rules or the state of the table forbid it.",
        413: "Too large.",
        429: "Too many: wait a moment.",
        503: "Not saved: nothing was done; send it again with the same id.",
    }.items()
}

router = APIRouter(prefix="/api", responses=REFUSALS)


def the_house(request: Request) -> House:
    """Return the house of this worker."""
    house: House = request.app.state.house
    return house


def maybe_guest(request: Request, house: Annotated[House, Depends(the_house)]) -> str | None:
    """Return who asks, if we know them."""
    return house.tokens.read_cookie(request.cookies.get(COOKIE))


def a_guest(guest: Annotated[str | None, Depends(maybe_guest)]) -> str:
    """Return who asks, or refuse a stranger."""
    if guest is None:
        raise NoGuest("tell us your name first: PUT /api/guest")
    return guest


TheHouse = Annotated[House, Depends(the_house)]
MaybeGuest = Annotated[str | None, Depends(maybe_guest)]
AGuest = Annotated[str, Depends(a_guest)]
TableName = Annotated[Identifier, Path(description="the name of the table")]


class Introduction(Message):
    """How somebody wants to be called."""

    name: Name


class Knock(Message):
    """What somebody shows at the door of a table."""

    invite: Invite


@router.get("/games", response_model=answers.Games)
async def games(house: TheHouse) -> Any:
    """What may be played here, with which options and bots."""
    listed = []
    for game in all_games():
        bots = dict.fromkeys(house.thinkers.names(game), "A program of the host.")
        bots |= {name: bot.about for name, bot in bots_of(game).items()}
        listed.append(
            {
                "name": game.name,
                "seats": list(game.seats),
                "practice": game.practice,
                "options": {name: option.describe() for name, option in game.options.items()},
                "bots": bots,
            }
        )
    return {"games": listed, "reactions": list(REACTIONS)}


@router.get("/guest", response_model=answers.MaybeGuest)
async def who_am_i(house: TheHouse, guest: MaybeGuest) -> Any:
    """Who you are to the club; a stranger has no name yet."""
    return {"name": guest and await house.store.guest_name(guest)}


@router.put("/guest", response_model=answers.Guest)
async def introduce(
    house: TheHouse,
    guest: MaybeGuest,
    wish: Introduction,
    request: Request,
    response: Response,
) -> Any:
    """Become a guest, or change your name. The answer sets the cookie that is you."""
    guest = guest or new_guest()
    await house.store.save_guest(guest, wish.name)
    response.set_cookie(
        COOKIE,
        house.tokens.cookie(guest),
        max_age=YEAR,
        httponly=True,
        samesite="lax",
        secure=house.settings.is_secure or request.url.scheme == "https",
    )
    return {"name": wish.name}


@router.get("/tables", response_model=answers.Tables)
async def open_tables(
    house: TheHouse,
    guest: MaybeGuest,
    game: Annotated[str | None, Query(max_length=32)] = None,
    status: Annotated[Literal["gathering", "playing"], Query()] = "gathering",
    limit: Annotated[int, Query(ge=1, le=MOST_LISTED)] = 50,
) -> Any:
    """The tables that anybody may join, or those at which anybody may look on; the newest first."""
    if game is not None:
        find_game(game)
    names = await house.store.open_tables(status, game, limit)
    return {"tables": [summary(table, guest) for table in await house.tables(names)]}


@router.get("/tables/mine", response_model=answers.Tables)
async def my_tables(
    house: TheHouse,
    guest: AGuest,
    status: Annotated[Literal["running", "over"], Query()] = "running",
    limit: Annotated[int, Query(ge=1, le=MOST_LISTED)] = 50,
) -> Any:
    """The tables at which you are: those that wait or run, or those that are over."""
    statuses = ("gathering", "playing") if status == "running" else ("over",)
    names = await house.store.tables_of(guest, statuses, limit)
    return {"tables": [summary(table, guest) for table in await house.tables(names)]}


@router.post("/tables", response_model=answers.NewTableAnswer, status_code=201)
async def new_table(house: TheHouse, guest: AGuest, wish: NewTable) -> Any:
    """Open a table. With `people`, `bots` and `start`, one request is enough to play."""
    room = await house.create(guest, wish)
    return {"table": room.table.id, "invite": room.invite, "seq": room.table.seq}


@router.get("/tables/{table}", responses={200: {"model": answers.Update}})
async def look(
    house: TheHouse,
    guest: MaybeGuest,
    table: TableName,
    since: Annotated[int | None, Query(ge=0, le=2**31)] = None,
    guide: bool = False,
) -> Response:
    """Where a table stands, as you may see it, with what happened since an entry."""
    room = await house.visit(table, guest)
    return Response(room.teller.update(guest, since, guide), media_type="application/json")


@router.post("/tables/{table}", response_model=answers.Done)
async def command(house: TheHouse, guest: AGuest, table: TableName, command: Command) -> Any:
    """Do something at a table. The answer comes when it is stored for good."""
    with COMMANDS.time():
        return {"seq": await house.do(table, guest, command)}


@router.get("/tables/{table}/invite", response_model=answers.Invitation)
async def invite(house: TheHouse, guest: AGuest, table: TableName) -> Any:
    """The invitation, for whoever is at the table."""
    room = await house.visit(table, guest)
    if guest not in room.table.members:
        raise NotNow("sit down first, then invite others")
    return {"invite": room.invite}


@router.post("/tables/{table}/invite", response_model=answers.Welcome)
async def knock(house: TheHouse, table: TableName, knock: Knock) -> Any:
    """Who invites whom to what: for strangers with an invitation, before they come in."""
    return welcome(await house.invited(table, knock.invite))


@router.post("/tables/{table}/seats/{seat}/key", response_model=answers.SeatKey)
async def seat_key(
    house: TheHouse, guest: AGuest, table: TableName, seat: Annotated[int, Path(ge=0, le=9)]
) -> Any:
    """The key of your own seat, to play on at another device."""
    room = await house.visit(table, guest)
    return {"key": house.seat_key(room, guest, seat)}


@router.get("/tables/{table}/record")
async def record(house: TheHouse, guest: MaybeGuest, table: TableName) -> dict[str, Any]:
    """The record of a game: of a finished one in full, of a running one as you may see it."""
    room = await house.visit(table, guest)
    if room.table.match is None:
        raise NotNow("the game has not begun")
    return told_record(room.table, room.table.seats_of(guest), room.secret)


@router.get("/tables/{table}/history", responses={200: {"model": answers.History}})
async def look_back(
    house: TheHouse, guest: MaybeGuest, table: TableName, request: Request
) -> Response:
    """The game from its beginning, event by event, as you may see it."""
    room = await house.visit(table, guest)
    if room.table.match is None:
        raise NotNow("the game has not begun")
    is_packed = accepts_gzip(request.headers.get("accept-encoding", ""))
    told = await house.look_back(room, guest)
    if not is_packed:
        told = gzip.decompress(told)
    headers = {"vary": "accept-encoding"} | ({"content-encoding": "gzip"} if is_packed else {})
    return Response(told, media_type="application/json", headers=headers)


@router.get("/results", response_model=answers.Results)
async def my_results(
    house: TheHouse,
    guest: AGuest,
    limit: Annotated[int, Query(ge=1, le=MOST_RESULTS)] = 50,
) -> Any:
    """How your games ended, the newest first."""
    rows = await house.store.results_of(guest, limit)
    fields = ("at", "game", "seats", "seat", "name", "score", "place", "gave_up")
    results = [{"table": row["table_id"]} | {field: row[field] for field in fields} for row in rows]
    return {"results": results}


@router.get("/ratings", response_model=answers.Ratings)
async def my_ratings(house: TheHouse, guest: AGuest) -> Any:
    """How strong you are, by game and number of seats."""
    rows = await house.store.ratings_of(guest)
    fields = ("game", "seats", "games", "wins")
    ratings = [{field: row[field] for field in fields} | {"rating": cautious(row)} for row in rows]
    return {"ratings": ratings}


@router.get("/leaderboard", response_model=answers.Leaders)
async def leaderboard(
    house: TheHouse,
    guest: MaybeGuest,
    game: Annotated[str, Query(max_length=32)],
    seats: Annotated[int, Query(ge=2, le=10)] = 2,
    limit: Annotated[int, Query(ge=1, le=MOST_LISTED)] = 50,
) -> Any:
    """The best players of a game for a number of seats."""
    rows = await house.store.leaders(find_game(game).name, seats, limit)
    leaders = [
        {
            "name": row["name"],
            "kind": "bot" if row["player"].startswith("bot:") else "person",
            "you": row["player"] == guest,
            "rating": cautious(row),
            "mu": row["mu"],
            "sigma": row["sigma"],
            "games": row["games"],
            "wins": row["wins"],
        }
        for row in rows
    ]
    return {"leaders": leaders}


def cautious(row: Row) -> float:
    """Return a rating that a player has almost certainly earned: low for who has played little."""
    return round(float(row["mu"] - 3 * row["sigma"]), 2)
