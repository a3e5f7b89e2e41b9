"""Ratings: how strong guests and bots are, by game and number of seats, from all finished games."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from qlub.club.store.schema import keys, ratings, results

BATCH = 200
LOCK = "rating"


def rate_games(connection: Connection) -> int:
    """Work a batch of finished games into the ratings, in the order in which they ended.

    A game counts once: its results are marked in the same transaction. One worker rates at a time;
    the row that they all lock is there for nothing else. A game in which one guest had several
    seats, or nobody to compare with, changes no rating. A bot in several seats of a game is an
    opponent like any other, but keeps its own rating.
    """
    connection.execute(select(keys).where(keys.c.name == LOCK).with_for_update())
    waiting = connection.execute(
        select(results)
        .where(results.c.rated.is_(False))
        .order_by(results.c.at, results.c.table_id, results.c.seat)
        .limit(BATCH)
    ).mappings()
    games = [list(rows) for _, rows in groupby(waiting, key=lambda row: row["table_id"])]
    if len(games) > 1:
        games.pop()  # its last seats may be in the next batch
    for seats in games:
        if seats[0]["counts"] and len(seats) > 1:
            _rate(connection, seats)
        done = update(results).where(results.c.table_id == seats[0]["table_id"])
        connection.execute(done.values(rated=True))
    return len(games)


def _rate(connection: Connection, seats: Sequence[Any]) -> None:
    from openskill.models import PlackettLuce

    game, number = seats[0]["game"], seats[0]["seats"]
    here = (ratings.c.game == game, ratings.c.seats == number)
    players = [row["player"] for row in seats]
    known = {
        row["player"]: row
        for row in connection.execute(
            select(ratings).where(*here, ratings.c.player.in_(players))
        ).mappings()
    }
    model = PlackettLuce()
    before = [
        [model.rating(known[player]["mu"], known[player]["sigma"])]
        if player in known
        else [model.rating()]
        for player in players
    ]
    after = model.rate(before, ranks=[row["place"] for row in seats])
    rows = [
        {
            "player": row["player"],
            "game": game,
            "seats": number,
            "name": row["name"],
            "mu": new.mu,
            "sigma": new.sigma,
            "games": (known[row["player"]]["games"] if row["player"] in known else 0) + 1,
            "wins": (known[row["player"]]["wins"] if row["player"] in known else 0)
            + (row["place"] == 1 and not row["gave_up"]),
        }
        for row, (new,) in zip(seats, after, strict=True)
        if players.count(row["player"]) == 1
    ]
    if rows:
        rated = [row["player"] for row in rows]
        connection.execute(delete(ratings).where(*here, ratings.c.player.in_(rated)))
        connection.execute(insert(ratings), rows)
