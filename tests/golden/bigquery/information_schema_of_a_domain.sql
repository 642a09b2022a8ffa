create view v as select job_id from `example.com:project.region-us.INFORMATION_SCHEMA`.JOBS;
