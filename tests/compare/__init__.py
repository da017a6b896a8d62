"""Models compared: differences, tests, what is printed and refused."""
