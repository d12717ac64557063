#!/bin/sh
# Three stages: a brief, a direction, a plan. What runs next is read from the status of the second
# stage and from .keystone/state.json, never from the words of a report.
#
#   pipeline.sh TOPIC BRIEF ANSWERS [OPTION...]
#
# BRIEF is a text file, ANSWERS a file of answers (`--answers`), each OPTION goes to the second
# stage. Run it again with more answers where it ended with status 6: it goes on.
# Statuses: 0 planned, 3 escalated, 4 deferred, 5 another skill's, 6 waiting for answers.
set -eu

[ $# -ge 3 ] || { echo "usage: pipeline.sh TOPIC BRIEF ANSWERS [OPTION...]" >&2; exit 2; }
topic=$1 brief=$2 answers=$3
shift 3

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
KEYSTONE_CLI=${KEYSTONE_CLI:-keystone-roundtable}
export KEYSTONE_CLI
mkdir -p .keystone # the project is the folder that this runs in, whatever lies above it

# `state get` prints JSON: a text without its quotation marks, nothing for null.
state() {
    $KEYSTONE_CLI state get "$1" | sed 's/^"\(.*\)"$/\1/; s/^null$//'
}

# -- 1. the brief, unless a session waits for answers ------------------------------------

waiting=$(state pipeline.waiting)
[ -n "$waiting" ] || sh "$here/brief.sh" "$brief"

# -- 2. the direction --------------------------------------------------------------------

made=$(mktemp)
trap 'rm -f "$made"' EXIT
status=0
if [ -n "$waiting" ] && [ "$(state artifacts.roundtable_session)" = "$waiting" ]; then
    # Somebody has held it to its end in a terminal meanwhile.
    case $(state exit_code) in escalate) status=3 ;; deferred) status=4 ;; esac
elif [ -n "$waiting" ]; then
    keystone-roundtable resume "$waiting" --answers "$answers" --json >"$made" || status=$?
else
    keystone-roundtable run "$@" --context .keystone/brief.md --answers "$answers" --json \
        -- "$topic" >"$made" || status=$?
fi

# -- 3. what follows ---------------------------------------------------------------------

case $status in
6 | 130) # nothing is decided; the state names no next skill
    session=$(sed -n 's/^ *"session": "\([0-9a-z-]*\)",*$/\1/p' "$made" | head -n 1)
    [ -n "$session" ] && $KEYSTONE_CLI state set pipeline.waiting "$session"
    echo "waiting for answers; run this again with more of them" >&2
    exit 6
    ;;
0 | 3 | 4 | 5)
    [ -z "$waiting" ] || $KEYSTONE_CLI state set pipeline.waiting null
    ;;
*) # the message stands on standard error already
    exit "$status"
    ;;
esac

# The status and the state say the same; where they do not, the state is somebody else's.
case $status in 0) end=ok ;; 3) end=escalate ;; 4) end=deferred ;; 5) end=redirected ;; esac
if [ "$(state exit_code)" != "$end" ]; then
    echo "the state says '$(state exit_code)' and the stage ended with status $status" >&2
    exit 1
fi

case $status in
0)
    [ "$(state next_skill)" = writing-plan ] || exit 1
    sh "$here/plan.sh"
    ;;
3)
    echo "escalated: $(state exit_reason); read $(state artifacts.roundtable_report)" >&2
    ;;
4)
    echo "deferred: nothing is planned; come back another day" >&2
    ;;
5)
    echo "not a question of direction: $(state next_skill) is the skill for it" >&2
    ;;
esac
exit "$status"
