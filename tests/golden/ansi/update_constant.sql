update accounts set status = 'closed', closed_by = current_user where balance = 0 and last_used < date '2020-01-01'
