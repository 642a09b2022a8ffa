begin conversation timer (@h) timeout = 120;
end conversation @h with cleanup;
select a into b from c;
