"""Model files described: their fields with units and bounds, and a JSON schema for editors."""
