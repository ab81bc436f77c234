"""Read the functions of rules and motions into typed trees, which back ends print."""
