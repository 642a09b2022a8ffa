insert into dbo.places (shape, lat, distance, level)
select p.area.STAsText(), p.spot.Lat, geography::Point(p.lat, p.lng, 4326).STDistance(p.spot), p.node.GetLevel()
from dbo.points as p
where p.node.IsDescendantOf(@root) = 1
