insert into o (a, b) select t.$1, $2 from @stg/x (file_format => 'ff', pattern => '.*') t;
