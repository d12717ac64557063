#!/bin/sh
# Stage 1: puts the brief where the next stage finds it, and says in the state who was here.
set -eu
: "${KEYSTONE_CLI:=keystone-roundtable}"
$KEYSTONE_CLI state init
cp -- "$1" .keystone/brief.md
$KEYSTONE_CLI state set current_stage brief
