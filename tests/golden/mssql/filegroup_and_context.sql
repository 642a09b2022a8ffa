select a into s.y on fg1 from t;

with change_tracking_context (@ctx) update p set l = q where i = 2;
