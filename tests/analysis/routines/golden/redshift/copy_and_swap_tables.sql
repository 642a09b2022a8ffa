CREATE OR REPLACE PROCEDURE mart.reload_clicks(p_day IN DATE, p_loaded OUT BIGINT)
AS $$
DECLARE
    v_path VARCHAR(256) := 's3://lake/clicks/';
    v_sql  VARCHAR(4000);
BEGIN
    DROP TABLE IF EXISTS stage_clicks;
    CREATE TEMP TABLE stage_clicks (
        click_id   BIGINT NOT NULL,
        user_id    BIGINT ENCODE az64,
        url        VARCHAR(2000),
        clicked_at TIMESTAMP
    )
    DISTKEY (user_id)
    SORTKEY (clicked_at);

    v_sql := 'COPY stage_clicks FROM ''' || v_path || ''' IAM_ROLE default FORMAT AS PARQUET';
    EXECUTE v_sql;

    CREATE TABLE mart.clicks_new (LIKE mart.clicks INCLUDING DEFAULTS);

    INSERT INTO mart.clicks_new (click_id, user_id, url, clicked_at)
    SELECT d.click_id, d.user_id, d.url, d.clicked_at
    FROM (
        SELECT s.click_id, s.user_id, s.url, s.clicked_at,
               ROW_NUMBER() OVER (PARTITION BY s.click_id ORDER BY s.clicked_at DESC) AS rn
        FROM stage_clicks s
    ) d
    WHERE d.rn = 1;

    ALTER TABLE mart.clicks RENAME TO clicks_old;
    ALTER TABLE mart.clicks_new RENAME TO clicks;
    DROP TABLE mart.clicks_old;

    SELECT COUNT(*) INTO p_loaded FROM mart.clicks WHERE clicked_at::date = p_day;
    INSERT INTO mart.load_history (table_name, load_day, row_count)
    VALUES ('clicks', p_day, p_loaded);
    RAISE INFO 'clicks: % rows', p_loaded;
EXCEPTION
    WHEN OTHERS THEN
        INSERT INTO mart.load_errors (message) VALUES (SQLERRM);
        RAISE EXCEPTION 'clicks were not loaded';
END;
$$ LANGUAGE plpgsql SECURITY INVOKER;
