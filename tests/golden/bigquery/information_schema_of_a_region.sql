create view v as select job_id from `my-project.region-us.INFORMATION_SCHEMA`.JOBS;
