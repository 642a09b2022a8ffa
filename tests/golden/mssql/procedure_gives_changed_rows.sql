CREATE PROCEDURE take AS
DELETE FROM queue OUTPUT deleted.id, deleted.payload WHERE done = 1
GO
INSERT INTO finished (id, payload) EXEC take
