-- metadata: {"z": ["x", "y", "w"], "z2": ["x", "y", "w"], "q": ["x", "w", "y"]}
merge into z using q on z.x = q.x when matched then update by name when not matched then insert by name;
merge into z2 using q using (x) when matched then update when not matched then insert *;
