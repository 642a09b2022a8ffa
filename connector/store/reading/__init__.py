"""The queries behind `Store`: objects by name, the details of a table, the lineage around it, the impact of a change.

Everything here is read-only. The results are the plain records of `connector.store.reading.records`.
"""
