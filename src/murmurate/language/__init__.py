"""The functions of rules and motions, read once into typed trees that back ends print."""
