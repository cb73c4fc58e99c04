# Runs a command in a terminal, types into it when it asks for a token, prints its exit code and all it showed.
import os, pty, sys

typed, command = sys.argv[1], sys.argv[2:]
child, terminal = pty.fork()
if child == 0:
    os.execvp(command[0], command)
shown = b""
try:
    while chunk := os.read(terminal, 4096):
        asked_before = b"Token: " in shown
        shown += chunk
        if b"Token: " in shown and not asked_before:
            os.write(terminal, typed.encode())
except OSError:
    pass  # How Linux says that the other side has closed.
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
print(shown.decode())
