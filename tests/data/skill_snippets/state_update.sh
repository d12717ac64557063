_KS_CLI="${KEYSTONE_CLI:-./keystone}"
$_KS_CLI state set current_stage "roundtable" >/dev/null
$_KS_CLI state set last_decision "$_DECISION" >/dev/null
$_KS_CLI state set artifacts.roundtable_mode "$_ROUNDTABLE_MODE" >/dev/null

case "$_DECISION" in
  roundtable-aligned)
    _EXIT_CODE="ok"
    _EXIT_NEXT="writing-plan"
    _EXIT_REASON="Direction converged"
    ;;
  roundtable-deferred)
    _EXIT_CODE="deferred"
    _EXIT_NEXT="roundtable"
    _EXIT_REASON="More discussion is still needed"
    ;;
  roundtable-escalate)
    _EXIT_CODE="escalate"
    _EXIT_NEXT=""
    _EXIT_REASON="Directional disagreement cannot be resolved safely"
    ;;
esac
$_KS_CLI state set exit_code "$_EXIT_CODE" >/dev/null
$_KS_CLI state set exit_reason "$_EXIT_REASON" >/dev/null
$_KS_CLI state set next_skill "$_EXIT_NEXT" >/dev/null
