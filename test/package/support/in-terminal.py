# Runs a command in a terminal and types text at the token prompt. Prints the exit code and the output.
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
    pass  # On Linux, reading fails after the other side has closed the terminal.
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
print(shown.decode())
