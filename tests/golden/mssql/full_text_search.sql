insert into dbo.hits (id, rnk, title)
select ft.[key], ft.rank, d.title
from dbo.docs d join containstable(dbo.docs, (title, body), 'cheap', 10) as ft on ft.[key] = d.id;
insert into dbo.similar (id, score)
select matched_document_key, score from semanticsimilaritytable(dbo.papers, *, 7);
