copy t (x, y) source hdfs(url='http://h:50070/w/f') filter iconverter(from_encoding='u') parser fjsonparser();
