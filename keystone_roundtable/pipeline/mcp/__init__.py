"""The same sessions for MCP clients: tools, elicitation, resources. Needs the extra `mcp`."""
