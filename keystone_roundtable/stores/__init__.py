"""What is kept on disk: session logs, the keystone state, telemetry, reports and contracts."""
