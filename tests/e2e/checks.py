"""For drivers that are a table of checks and no unittest: a line for each, and how many failed."""

failed = 0


class Failed(Exception):
    pass


def require(condition, message):
    if not condition:
        raise Failed(message)


def attempt(what, check):
    """Prints what the check says, or why it failed. Returns whether it passed."""
    global failed
    try:
        print(f"{what}: {check() or 'ok'}", flush=True)
        return True
    except Failed as failure:
        failed += 1
        print(f"{what}: FAILED: {failure}", flush=True)
        return False


def exit_status():
    print(f"{failed} checks failed" if failed else "all checks passed")
    return 1 if failed else 0
