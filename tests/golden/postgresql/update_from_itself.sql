update z a set y = b.v from z b where b.x = a.w and b.s <> a.s;
