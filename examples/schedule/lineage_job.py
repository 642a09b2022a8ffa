"""The program to give to spark-submit: the command itself, in the session that spark-submit has started."""

from connector.cli import main

if __name__ == "__main__":
    main()
