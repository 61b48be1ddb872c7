"""The stripped command has at most 25 MB."""
from lib.checking import BINARY, check, folder, must

stripped = folder() / "stripped"
must("strip", "-o", stripped, BINARY)
size = stripped.stat().st_size
check(f"stripped: {size} bytes, at most 25000000", 1_000_000 < size <= 25_000_000)
