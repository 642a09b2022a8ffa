-- metadata: {"source": ["id", "a"]}
merge into target using source on target.id = source.id when matched then update * when not matched then insert *;
