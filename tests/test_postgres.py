"""The PostgreSQL server of the tests does what they rely on, and is installed where there is none."""

import shutil
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import postgres as postgres_module
import psycopg
import pytest
from postgres import Postgres, find_programs, is_dead, wait_until

INSTALL = Path(__file__).parent.parent / "tools" / "install-postgresql.sh"

KILLED = """
from postgres import Postgres
with Postgres() as postgres:
    print(postgres.url, flush=True)
    input()
"""


def ask(url: str, question: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url) as connection:
        return connection.execute(question).fetchall()


def write(url: str, *values: int) -> None:
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS sheet (value integer)")
        connection.cursor().executemany(
            "INSERT INTO sheet VALUES (%s)", [(value,) for value in values]
        )


def test_every_database_is_new_and_empty(postgres: Postgres, postgres_url: str) -> None:
    write(postgres_url, 1, 2)
    assert ask(postgres_url, "SELECT value FROM sheet") == [(1,), (2,)]
    other = postgres.new_database()
    assert ask(other, "SELECT * FROM pg_tables WHERE schemaname = 'public'") == []
    postgres.drop_database(other)
    with pytest.raises(psycopg.OperationalError, match="does not exist"):
        ask(other, "SELECT 1")


def test_a_power_cut_keeps_what_is_committed_and_nothing_else(
    postgres: Postgres, postgres_url: str
) -> None:
    write(postgres_url, 1)
    with closing(psycopg.connect(postgres_url)) as connection:
        connection.execute("INSERT INTO sheet VALUES (2)")
        processes = ask(postgres_url, "SELECT pid FROM pg_stat_activity")
        assert len(processes) > 5, "connections and what the server starts for itself"
        postgres.kill()
        assert all(is_dead(int(str(pid))) for (pid,) in processes)
        with pytest.raises(psycopg.OperationalError):
            connection.commit()
    postgres.start()
    assert ask(postgres_url, "SELECT value FROM sheet") == [(1,)]


def test_a_stopped_server_refuses_and_comes_back_under_its_address(
    postgres: Postgres, postgres_url: str
) -> None:
    write(postgres_url, 1)
    postgres.stop()
    with pytest.raises(psycopg.OperationalError, match=r"refused|server closed"):
        ask(postgres_url, "SELECT 1")
    assert ask(postgres.new_database(), "SELECT 1") == [(1,)]
    assert ask(postgres_url, "SELECT value FROM sheet") == [(1,)]


@pytest.mark.parametrize("setting", ["fsync", "synchronous_commit", "full_page_writes"])
def test_the_server_is_as_durable_as_a_real_one(postgres: Postgres, setting: str) -> None:
    assert ask(postgres.url, f"SHOW {setting}") == [("on",)]


def test_root_does_not_run_the_server(postgres: Postgres) -> None:
    [(pid,)] = ask(
        postgres.url, "SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'"
    )
    assert Path(f"/proc/{pid}").stat().st_uid != 0


def test_tests_that_are_killed_leave_nothing_behind() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", KILLED],
        cwd=Path(__file__).parent,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as tests:
        assert tests.stdout
        url = tests.stdout.readline().strip()
        processes = ask(url, "SELECT pid FROM pg_stat_activity")
        [(data,)] = ask(url, "SHOW data_directory")
        folder = Path(str(data)).parent
        memory = (folder / "data" / "postmaster.pid").read_text().splitlines()[6].split()[1]
        assert memory in shared_memory()
        tests.send_signal(signal.SIGKILL)
    wait_until(lambda: not folder.exists())
    assert all(is_dead(int(str(pid))) for (pid,) in processes)
    assert memory not in shared_memory()


def shared_memory() -> list[str]:
    """Return the numbers of the shared memory that the kernel keeps."""
    return [line.split()[1] for line in Path("/proc/sysvipc/shm").read_text().splitlines()]


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without PostgreSQL: `bin` is all of its path, `lib` and `etc` are Debian's folders."""
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    for tool in ("cat", "dirname", "echo", "mkdir", "mktemp", "readlink", "rm", "rmdir", "sh"):
        found = shutil.which(tool)
        assert found
        (bin_folder / tool).symlink_to(found)
    text = INSTALL.read_text()
    for folder, ours in (("/usr/lib/postgresql", "lib"), ("/etc/postgresql-common", "etc")):
        assert folder in text
        text = text.replace(folder, str(tmp_path / ours))
    script(tmp_path / "install", text)
    script(bin_folder / "id", "echo 0")
    monkeypatch.setenv("PATH", str(bin_folder))
    monkeypatch.setattr(postgres_module, "DEBIAN", tmp_path / "lib")
    return tmp_path


def script(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text if text.startswith("#!") else f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def install(bare: Path) -> tuple[int, str, str]:
    """Run the script; return its exit code, what it says, and what apt-get was asked."""
    done = subprocess.run([bare / "install"], capture_output=True, text=True, check=False)
    asked = bare / "asked"
    return done.returncode, done.stdout + done.stderr, asked.read_text() if asked.exists() else ""


@pytest.mark.parametrize("place", ["bin", "lib/9/bin", "lib/15/bin", "elsewhere"])
def test_a_server_that_is_there_is_found_and_left_alone(bare: Path, place: str) -> None:
    script(bare / "bin" / "apt-get", f'echo "$@" >>{bare}/asked')
    for folder in {place, "lib/9/bin"} if place.startswith("lib") else {place}:
        for program in ("postgres", "initdb"):
            script(bare / folder / program, "exit 1")
    if place == "elsewhere":
        script(bare / "bin" / "pg_config", f'[ "$1" = --bindir ] && echo {bare}/elsewhere')
    assert find_programs() == bare / place
    assert install(bare) == (0, "", "")


def test_a_missing_server_is_one_clear_line(bare: Path) -> None:
    script(bare / "bin" / "pg_config", "echo /nowhere")  # as from the client's package
    with pytest.raises(FileNotFoundError, match=r"^No PostgreSQL server .* package postgresql\.$"):
        Postgres()


def test_a_missing_server_is_installed_without_a_cluster_of_its_own(bare: Path) -> None:
    switch = bare / "etc" / "createcluster.d" / "qlub.conf"
    script(bare / "bin" / "apt-get", f'echo "$DEBIAN_FRONTEND" "$@" $(cat {switch}) >>{bare}/asked')
    code, said, asked = install(bare)
    assert code == 0
    assert said == "Installing PostgreSQL for the tests from Debian's packages ...\n"
    assert asked.startswith("noninteractive -qq -y ")
    assert asked.endswith(" postgresql create_main_cluster = false\n")
    assert len(asked.splitlines()) == 1, "the lists of packages are good enough"
    assert not switch.parent.exists(), "the next installation is Debian's again"


def test_the_lists_of_packages_are_renewed_when_they_lack_it(bare: Path) -> None:
    script(
        bare / "bin" / "apt-get",
        f'case "$*" in *update) echo update >>{bare}/asked; echo >{bare}/lists;; '
        f"*) echo install >>{bare}/asked; cat {bare}/lists;; esac",
    )
    code, said, asked = install(bare)
    assert (code, asked) == (0, "install\nupdate\ninstall\n")
    assert len(said.splitlines()) == 1


def test_what_apt_get_complains_about_is_shown(bare: Path) -> None:
    script(bare / "bin" / "apt-get", "echo E: no network; exit 100")
    code, said, _ = install(bare)
    assert code == 1
    assert said.endswith("...\nE: no network\n")


def test_others_than_root_use_sudo(bare: Path) -> None:
    script(bare / "bin" / "id", "echo ${AS:-1000}")
    script(bare / "bin" / "sudo", 'AS=0 exec "$@"')
    script(bare / "bin" / "apt-get", f'echo "$@" >>{bare}/asked')
    code, _, asked = install(bare)
    assert code == 0
    assert asked.endswith(" postgresql\n")


@pytest.mark.parametrize("tool", ["apt-get", "sudo", "neither"])
def test_who_cannot_install_is_told_what_to_install(bare: Path, tool: str) -> None:
    script(bare / "bin" / "id", "echo 1000")
    script(bare / "bin" / tool, f'echo "$@" >>{bare}/asked')
    code, said, asked = install(bare)
    assert (code, asked) == (1, "")
    assert said.endswith(" package postgresql.\n")
    assert len(said.splitlines()) == 1
