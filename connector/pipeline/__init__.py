"""The same analysis over whole sources: query logs, folders of scripts, databases."""
