delete from target using stage where target.id = stage.id
