#!/bin/sh
# Stage 3, a stub: writes the head of a plan from the decision contract in the state.
set -eu
: "${KEYSTONE_CLI:=keystone-roundtable}"
contract() {
    $KEYSTONE_CLI state get "artifacts.roundtable_contract.$1"
}
{
    echo "# Plan"
    echo
    echo "- direction: $(contract option)"
    echo "- confidence: $(contract confidence)"
    echo "- to do: $(contract next_action)"
    echo "- notes: $(contract notes)"
    echo "- if it fails: $(contract fallback)"
} >.keystone/plan.md
$KEYSTONE_CLI state set current_stage writing-plan
echo ".keystone/plan.md"
