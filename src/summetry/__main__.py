"""``python -m summetry`` is the same as ``summetry``."""

from summetry.cli.main import main

if __name__ == "__main__":
    main()
