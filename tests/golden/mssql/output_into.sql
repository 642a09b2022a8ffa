delete from dbo.queue
output deleted.id, deleted.payload into dbo.queue_log (id, payload)
where processed = 1
