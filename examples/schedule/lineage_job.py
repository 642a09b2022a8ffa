"""The application for spark-submit: runs the command in the session that spark-submit has started."""

from connector.cli import main

if __name__ == "__main__":
    main()
