"""murmurate check-code: print the results in the codes of tasks."""

from __future__ import annotations

from murmurate.cli.terminal import EXIT_FAILED, EXIT_OK, print_error, print_line


def check_code(*codes: str, task: str, json: bool = False) -> int:
    """Check the codes that pages show at the end of a task, and print their scores.

    The checksum of a code shows typing errors and changed letters. It does not show who computed
    the code: the page has all that is needed, so whoever reads its program can make any code. The
    exit code is 0 if all codes are right, and 1 if one is not.

    For instance:

        murmurate check-code 070J-W7RN-056H-0121-DSGJ-0GHE-JYXX-GVWV --task three-rules

    Parameters
    ----------
    codes
        Codes of one or more pupils, each in quotes if it has spaces.
    task
        The task file of the page, or the name of its task.
    json
        Print a JSON object for each code.
    """
    from murmurate.classroom import check_code as check
    from murmurate.classroom import load_task
    from murmurate.errors import CommandError, TaskError

    if not codes:
        raise CommandError("check-code: got no code; expected one or more, from the pages")
    definition, rows, exit_code = load_task(task), [], EXIT_OK
    for code in codes:
        try:
            result = check(code, definition)
        except TaskError as error:
            print_error(str(error))
            exit_code = EXIT_FAILED
            continue
        if json:
            import json as format_json
            from dataclasses import asdict

            print_line(format_json.dumps(asdict(result), default=str, ensure_ascii=False))
            continue
        points = " ".join(f"{share:g}" for share in result.points)
        passed = "passed" if result.passed else "not passed"
        rows.append((result.name or "-", str(result.score), passed, points, str(result.day)))
    if rows:
        from murmurate.tables import to_lines

        for line in to_lines(("name", "score", "", "points", "day"), rows):
            print_line(line)
    return exit_code
