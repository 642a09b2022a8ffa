CREATE ALGORITHM=UNDEFINED DEFINER=`root`@`localhost` SQL SECURITY DEFINER VIEW `v` AS select `t`.`a` AS `a` from `t`;
/*!50001 CREATE ALGORITHM=MERGE */
/*!50013 DEFINER=`root`@`%` SQL SECURITY INVOKER */
/*!50001 VIEW `w` AS select `u`.`b` AS `b` from `u` where (`u`.`c` > 0) */;
/*!40101 SET character_set_client = utf8 */;
INSERT /*!32302 IGNORE */ INTO o (x) SELECT '/*!50001 no comment */' FROM t;
