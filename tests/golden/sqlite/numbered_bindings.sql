INSERT INTO books SELECT ?1 AS author, title FROM drafts WHERE id = ?2;
