CREATE OR REPLACE PACKAGE web.session_etl AS
  TYPE t_session IS RECORD (visitor_id NUMBER, started_at DATE, clicks NUMBER);
  TYPE t_sessions IS TABLE OF t_session;
  FUNCTION sessions_of (p_day IN DATE) RETURN t_sessions PIPELINED;
  PROCEDURE load_day (p_day IN DATE);
END session_etl;
/
CREATE OR REPLACE PACKAGE BODY web.session_etl AS

  FUNCTION sessions_of (p_day IN DATE) RETURN t_sessions PIPELINED IS
    r_out t_session;
  BEGIN
    FOR r IN (SELECT h.visitor_id, MIN(h.hit_at) AS started_at, COUNT(*) AS clicks
                FROM web.hits h
               WHERE h.hit_day = p_day
               GROUP BY h.visitor_id, h.visit_no) LOOP
      r_out.visitor_id := r.visitor_id;
      r_out.started_at := r.started_at;
      r_out.clicks := r.clicks;
      PIPE ROW (r_out);
    END LOOP;
    RETURN;
  END sessions_of;

  PROCEDURE load_day (p_day IN DATE) IS
    v_longest  web.visitors.longest_visit%TYPE;
    v_visitor  web.visitors.visitor_id%TYPE;
    TYPE t_ids IS TABLE OF web.visitors.visitor_id%TYPE;
    l_removed  t_ids;
  BEGIN
    DELETE FROM web.sessions s
     WHERE s.session_day = p_day
    RETURNING s.visitor_id BULK COLLECT INTO l_removed;

    FORALL i IN l_removed.FIRST .. l_removed.LAST
      INSERT INTO web.reloaded (visitor_id, reloaded_on) VALUES (l_removed(i), SYSDATE);

    FOR v IN (SELECT d.visitor_id, MAX(d.duration) AS longest
                FROM web.durations d
               WHERE d.visit_day = p_day
               GROUP BY d.visitor_id)
    LOOP
      v_visitor := v.visitor_id;
      v_longest := GREATEST(v.longest, 0);
      UPDATE web.visitors x
         SET x.longest_visit = GREATEST(x.longest_visit, v_longest)
       WHERE x.visitor_id = v_visitor;
      IF SQL%NOTFOUND THEN
        INSERT INTO web.visitors (visitor_id, longest_visit) VALUES (v_visitor, v_longest);
      END IF;
    END LOOP;
  END load_day;

END session_etl;
/
