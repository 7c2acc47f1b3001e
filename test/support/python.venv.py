"""Makes a virtual environment with the packages of a requirements file: python.venv.py FOLDER REQUIREMENTS.

Of several processes one makes it while the others wait. The kernel takes the lock back from a process that dies, and an
environment without its mark was left unfinished: the next process begins it anew.
"""

import fcntl
import pathlib
import subprocess
import sys
import venv

folder, requirements = sys.argv[1:]
mark = pathlib.Path(folder, "complete")
mark.parent.parent.mkdir(parents=True, exist_ok=True)
with open(f"{folder}.lock", "w") as lock:
    fcntl.flock(lock, fcntl.LOCK_EX)
    if not mark.exists():
        venv.create(folder, clear=True, with_pip=True)
        pip = [f"{folder}/bin/python", "-m", "pip", "install", "--require-virtualenv", "--disable-pip-version-check"]
        # The file names every package that is needed, so nothing is left to resolve.
        exactly = ["--no-deps", "--no-compile", "--quiet", "--requirement", requirements]
        subprocess.run(pip + exactly, check=True, timeout=240)
        mark.touch()
