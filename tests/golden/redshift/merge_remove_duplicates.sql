-- metadata: {"t": ["k", "v"], "s": ["k", "v"]}
merge into t using s on t.k = s.k remove duplicates;
