"""Runs one command, and turns every way in which it can fail into a sentence and an exit code."""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from importlib import import_module
from importlib.metadata import version
from typing import Protocol, cast

from bot import logs
from bot.cli.console import CONSOLE, silence_broken_pipe
from bot.cli.exits import FAILED, STOPPED, USAGE
from core.domain.errors import ConnectionUnusable, NotPossible, OperatorNeeded


class Command(Protocol):
    """What the module of a command has."""

    __doc__: str | None

    def add_arguments(self, parser: ArgumentParser) -> None: ...

    def run(self, args: Namespace) -> int: ...


def run_command(name: str, words: list[str], *, debug: bool) -> int:
    """Run the command; never a traceback, unless `debug` wants it."""
    if name == "--version":
        CONSOLE.say(f"resona {version('resona')}")
        return 0
    # What a command has to say it says itself; the log is for whoever looks for a mistake.
    logs.configure("DEBUG" if debug else "CRITICAL", terminal=True)
    try:
        return _run(name, words)
    except KeyboardInterrupt:
        CONSOLE.complain("Stopped.")
        return STOPPED
    except BrokenPipeError:
        # The reader at the other end has seen enough, as `head` has.
        silence_broken_pipe()
        return 0
    except Exception as error:
        if debug:
            raise
        return _told(error, name)


def _run(name: str, words: list[str]) -> int:
    command = cast("Command", import_module(f"bot.cli.commands.{name}"))
    parser = ArgumentParser(
        prog=f"resona {name}",
        description=command.__doc__,
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    command.add_arguments(parser)
    return command.run(parser.parse_args(words))


def _told(error: Exception, name: str) -> int:
    match error:
        case ConnectionUnusable() | NotPossible():
            CONSOLE.complain(str(error))
            return FAILED
        case OSError(filename=str() as path):
            CONSOLE.complain(f"{path} cannot be used: {error.strerror}. Check the path.")
            return FAILED
        case OperatorNeeded():
            CONSOLE.complain(str(error))
            return USAGE
        case ExceptionGroup(exceptions=[only]):
            return _told(only, name)
        case _:
            CONSOLE.complain(
                f"Something went wrong that nobody expected: {type(error).__name__}: {error}\n"
                f"`resona --debug {name} …` shows where."
            )
            return FAILED
