"""What happens around a game: invitations, wrong links, names, bots for a while, reactions, rematches."""

import re

from clubhouse import Club
from pages import arrive, opened
from players import click, decide, is_over
from playwright.sync_api import Browser, expect
from visitors import Visitor, visiting


def invited(house: Club, seats: int = 2, **wish: object) -> str:
    """Return the link to a new table of a host called Host."""
    answer = house.guest("Host").ask(
        "POST", "/api/tables", {"game": "qwixx", "seats": seats, "people": ["Host"], **wish}
    )
    return f"{house.url}/t/{answer['table']}#{answer['invite']}"


def come(visitor: Visitor, link: str, name: str) -> None:
    visitor.page.goto(link)
    visitor.page.get_by_role("textbox", name="Your name").fill(name)
    visitor.page.get_by_role("button", name="Come in").click()


def test_a_wrong_or_old_link_is_explained(browser: Browser, house: Club) -> None:
    link = invited(house)
    with visiting(browser, house) as visitor:
        visitor.allowed = ("404",)
        for wrong in (f"{house.url}/t/nosuchtable", link.split("#")[0], f"{link}x"):
            visitor.name("Ada")
            visitor.page.goto("about:blank")
            visitor.page.goto(wrong)
            expect(visitor.page.get_by_role("heading", name="no such table")).to_be_visible()
        visitor.page.get_by_role("link", name="To the club").click()
        expect(visitor.page.locator(".games")).to_be_visible()


def test_a_whole_link_after_half_of_it_opens_the_table(browser: Browser, house: Club) -> None:
    link = invited(house)
    with visiting(browser, house) as visitor:
        visitor.name("Ada")
        visitor.page.goto(link.split("#")[0])
        expect(visitor.page.get_by_role("heading", name="no such table")).to_be_visible()
        visitor.page.goto(link)
        expect(visitor.page.get_by_role("button", name="Sit down")).to_be_visible()


def test_people_at_one_device_look_back_without_seeing_hands(browser: Browser, house: Club) -> None:
    with visiting(browser, house) as visitor:
        opened(visitor, "qwirkle", seats=2, people=["Ada", "Bo"], bots=[])
        visitor.page.locator("[data-history]").click()
        visitor.page.wait_for_selector("input[type=range]")
        assert visitor.page.locator("[data-hand]").count() == 0


def test_an_invitation_says_who_invites_to_what(browser: Browser, house: Club) -> None:
    link = invited(house, seats=3, bots=["greedy"])
    with visiting(browser, house) as visitor:
        visitor.page.goto(link)
        expect(
            visitor.page.get_by_role("heading", name="Host invites you to Qwixx")
        ).to_be_visible()
        expect(visitor.page.get_by_text("One seat is still free.")).to_be_visible()
        visitor.allowed = ("404",)
        visitor.page.goto("about:blank")
        visitor.page.goto(
            f"{link}x"
        )  # a stranger learns nothing by a wrong one, nor is asked for a name
        expect(visitor.page.get_by_role("heading", name="no such table")).to_be_visible()


def test_an_invitation_without_a_club_to_ask(browser: Browser, house: Club) -> None:
    link = invited(house)
    with visiting(browser, house) as visitor:
        visitor.allowed = ("ERR_FAILED",)
        visitor.page.route("**/api/tables/*/invite", lambda route: route.abort())
        visitor.page.goto(link)
        expect(visitor.page.get_by_role("heading", name="You are invited")).to_be_visible()
        expect(visitor.page.get_by_text("The club cannot be reached")).to_be_visible()


def test_at_a_full_table_one_may_look_on(browser: Browser, house: Club) -> None:
    link = invited(house, bots=["greedy"])
    with visiting(browser, house) as visitor:
        visitor.page.goto(link)
        expect(visitor.page.get_by_text("All seats are taken. You can look on.")).to_be_visible()
        visitor.page.get_by_role("button", name="Look on").click()  # nobody need say their name
        expect(visitor.page.get_by_text("once the game begins")).to_be_visible()
        expect(visitor.page.get_by_role("button", name="Sit down")).to_have_count(0)


def test_a_name_that_is_taken_or_too_long(browser: Browser, house: Club) -> None:
    link = invited(house)
    with visiting(browser, house) as visitor:
        visitor.page.goto(link)
        field = visitor.page.get_by_role("textbox", name="Your name")
        field.fill("x" * 25)
        expect(visitor.page.get_by_text("at most 24 letters")).to_be_visible()
        expect(visitor.page.get_by_role("button", name="Come in")).to_be_disabled()
        field.fill("host")
        visitor.page.get_by_role("button", name="Come in").click()
        visitor.page.get_by_role("button", name="Sit down").click()
        dialog = visitor.page.get_by_role("dialog")
        expect(dialog.get_by_text("already has that name")).to_be_visible()
        expect(field).to_have_value("host")  # nothing typed is lost
        field.fill("Ada")
        visitor.page.get_by_role("button", name="Save the name").click()
        expect(visitor.page.get_by_role("button", name="Stand up")).to_be_visible()


def test_a_bot_plays_for_a_while_and_gives_the_seat_back(browser: Browser, house: Club) -> None:
    link = invited(house)
    with visiting(browser, house) as visitor:
        come(visitor, link, "Ada")
        visitor.page.get_by_role("button", name="Sit down").click()
        visitor.page.get_by_role("button", name="Stand up").wait_for()
        host = house.guests[-1]
        host.do(link.split("/t/")[1].split("#")[0], "start")
        visitor.page.get_by_role("button", name="More").click()
        visitor.page.get_by_role("menuitem", name="Let a bot play").click()
        expect(visitor.page.get_by_text("A bot is playing for you")).to_be_visible()
        visitor.page.get_by_role("button", name="Take the seat back").click()
        expect(visitor.page.get_by_text("A bot is playing for you")).to_have_count(0)


def test_who_gives_up_is_asked_first_and_has_the_last_place(browser: Browser, house: Club) -> None:
    with visiting(browser, house) as visitor:
        opened(visitor, "qwixx")
        visitor.page.get_by_role("button", name="More").click()
        visitor.page.get_by_role("menuitem", name="Give up").click()
        visitor.page.get_by_role("button", name="Play on").click()
        assert not is_over(visitor.page)
        visitor.page.get_by_role("button", name="More").click()
        visitor.page.get_by_role("menuitem", name="Give up").click()
        visitor.page.get_by_role("dialog").get_by_role("button", name="Give up").click()
        expect(visitor.page.locator(".result")).to_be_visible()


def test_a_rematch_is_one_touch(browser: Browser, house: Club) -> None:
    with visiting(browser, house) as visitor:
        table = opened(visitor, "qwixx")
        visitor.do(table, {"do": "resign", "seat": 0})
        visitor.page.get_by_role("button", name="Rematch").click()
        visitor.page.wait_for_url(re.compile(f"/t/(?!{table})"))
        assert not is_over(visitor.page)


def test_two_people_at_one_device_see_only_their_own_tiles(browser: Browser, house: Club) -> None:
    with visiting(browser, house) as visitor:
        visitor.name("Ada")
        visitor.go("/new/qwirkle/device")
        visitor.page.get_by_label("Name of player 2").fill("Bo")
        visitor.page.get_by_role("button", name="Begin").click()
        names = []
        for _ in range(3):
            cover = visitor.page.locator(".cover")
            expect(cover).to_be_visible()
            assert visitor.page.locator("[data-hand]").count() == 0
            names.append(cover.get_by_role("heading").inner_text())
            cover.get_by_role("button").click()
            decide(visitor, "qwirkle", click(visitor.page))
        assert names[0] == names[2] != names[1]


def test_a_reaction_reaches_the_others(browser: Browser, house: Club) -> None:
    with visiting(browser, house) as ann, visiting(browser, house, "desktop", "fr") as ben:
        ann.name("Ann")
        table = ann.open(
            game="qwixx", seats=2, people=["Ann"], bots=["greedy"], start=True, visibility="open"
        )
        ben.go(f"/t/{table}")
        expect(ben.page.get_by_text("Vous regardez")).to_be_visible()
        ann.page.get_by_role("button", name="Say something").click()
        ann.page.get_by_role("menuitem", name="Well played").click()
        expect(ben.page.locator(".reactions")).to_contain_text("Bien joué")


def test_the_title_and_the_icon_call_whose_turn_it_is(browser: Browser, house: Club) -> None:
    with visiting(browser, house) as visitor:
        opened(visitor, "qwixx")
        assert not is_over(visitor.page)
        expect(visitor.page).to_have_title(re.compile("● Your turn: Qwixx"))
        icon = visitor.page.locator("link[rel=icon]")
        expect(icon).to_have_attribute("href", "/icon-turn.svg")
        visitor.page.get_by_role("link", name="Back to the club").click()
        expect(visitor.page.get_by_text("Your turn", exact=True)).to_be_visible()
        expect(icon).to_have_attribute("href", "/icon.svg")


def test_results_are_kept_and_shown(browser: Browser, house: Club) -> None:
    with visiting(browser, house) as visitor:
        arrive(visitor, "results")
        results = visitor.ask("/api/results")["results"]
        assert len(results) == 3
        for result in results:
            expect(visitor.page.locator(f"a[href='/t/{result['table']}']")).to_be_visible()
        best = max(result["score"] for result in results)
        expect(visitor.page.get_by_text(str(best), exact=True).first).to_be_visible()
        assert visitor.page.locator(".bars, .chart").count() >= 2


def test_a_language_is_chosen_and_remembered(browser: Browser, house: Club) -> None:
    with visiting(browser, house, language="it-IT") as visitor:
        visitor.go("/")
        expect(visitor.page.get_by_role("button", name="Gioca subito").first).to_be_visible()
        visitor.page.get_by_role("button", name="Lingua").click()
        visitor.page.get_by_role("menuitemradio", name="Deutsch").click()
        expect(visitor.page.get_by_role("button", name="Jetzt spielen").first).to_be_visible()
        visitor.page.reload()
        expect(visitor.page.get_by_role("button", name="Jetzt spielen").first).to_be_visible()
        assert visitor.page.locator("html").get_attribute("lang") == "de"


def test_the_best_players_are_named_in_the_guests_language(browser: Browser, house: Club) -> None:
    with visiting(browser, house, language="de") as visitor:
        arrive(visitor, "results")
        expect(visitor.page.get_by_text("Bot, gierig")).to_be_visible()


def test_switches_in_the_menu_say_how_they_stand(browser: Browser, house: Club) -> None:
    with visiting(browser, house) as visitor:
        opened(visitor, "qwixx")
        visitor.page.get_by_role("button", name="More").click()
        switch = visitor.page.get_by_role("menuitemcheckbox", name="Sound")
        expect(switch).not_to_be_checked()
        off = switch.evaluate("one => getComputedStyle(one, '::after').backgroundImage")
        switch.click()
        expect(switch).to_be_checked()
        assert switch.evaluate("one => getComputedStyle(one, '::after').backgroundImage") != off


def test_one_looks_back_turn_by_turn_and_step_by_step(browser: Browser, house: Club) -> None:
    with visiting(browser, house) as visitor:
        arrive(visitor, "history")
        page, slider = visitor.page, visitor.page.locator("input[type=range]")
        steps = int(slider.get_attribute("max") or 0)
        page.keyboard.press("Home")
        expect(page.get_by_text(re.compile(r"Turn 0 of \d+"))).to_be_visible()
        page.keyboard.press("PageDown")  # the lot is drawn
        page.get_by_role("button", name="One turn on").click()
        expect(page.get_by_text(re.compile(r"Turn 1 of \d+"))).to_be_visible()
        first = int(slider.input_value())
        assert 2 < first < steps
        page.keyboard.press("ArrowRight")
        assert int(slider.input_value()) == first + 1
        expect(page.get_by_text(re.compile(r"Turn 2 of \d+"))).to_be_visible()
        page.keyboard.press("Shift+ArrowLeft")
        assert int(slider.input_value()) == first
        page.keyboard.press("End")
        count = page.get_by_text(re.compile(r"Turn (\d+) of \1"))
        expect(count).to_be_visible()
        assert steps > 2 * int(re.findall(r"\d+", count.inner_text())[0])
