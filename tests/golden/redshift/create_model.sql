create model churn from (select area, calls from activity where day < '2020-01-01') target calls function predict_churn iam_role default settings (s3_bucket 'b');

create model again from d.activity target calls function predict_again iam_role default;
