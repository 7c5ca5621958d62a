-- MariaDB dump 10.19  Distrib 10.11.6-MariaDB
/*!40101 SET NAMES utf8mb4 */;
DROP TABLE IF EXISTS `litebans_bans`;
CREATE TABLE `litebans_bans` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `uuid` varchar(36) CHARACTER SET ascii COLLATE ascii_general_ci DEFAULT NULL,
  `ip` varchar(45) DEFAULT NULL,
  `reason` varchar(2048) DEFAULT NULL,
  `banned_by_uuid` varchar(36) NOT NULL,
  `banned_by_name` varchar(128) DEFAULT NULL,
  `removed_by_uuid` varchar(36) DEFAULT NULL,
  `removed_by_name` varchar(128) DEFAULT NULL,
  `removed_by_reason` varchar(2048) DEFAULT NULL,
  `removed_by_date` timestamp NOT NULL DEFAULT current_timestamp(),
  `time` bigint(20) NOT NULL,
  `until` bigint(20) NOT NULL,
  `template` tinyint(3) unsigned NOT NULL DEFAULT 255,
  `server_scope` varchar(32) DEFAULT NULL,
  `server_origin` varchar(32) DEFAULT NULL,
  `silent` bit(1) NOT NULL,
  `ipban` bit(1) NOT NULL,
  `ipban_wildcard` bit(1) NOT NULL,
  `active` bit(1) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `idx_litebans_bans_uuid` (`uuid`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
LOCK TABLES `litebans_bans` WRITE;
INSERT INTO `litebans_bans` VALUES
(1,'069a79f4-44e9-4726-a5be-fca90e38aaf5','203.0.113.7','X-ray; it\'s \"obvious\", see (log)','853c80ef-3c37-49fd-aa49-938b674adae6','jeb_',NULL,NULL,NULL,'2026-01-05 10:00:00',1767600000000,-1,255,'*','survival',0x00,0x00,0x00,0x01),
(2,'61699b2ed3274a019f1e0ea8c3f06bc6',NULL,'Fly hack','853c80ef-3c37-49fd-aa49-938b674adae6','jeb_','853c80ef-3c37-49fd-aa49-938b674adae6','jeb_','Appeal accepted','2026-01-10 12:30:00',1767650000000,-1,255,'*','survival',b'0',b'0',b'0',b'0'),
(3,'f84c6a79-0a4e-45e0-879b-cd49ebd4c4e2','198.51.100.4','Griefing','CONSOLE','Console',NULL,'#expired',NULL,'2026-01-08 00:00:00',1767700000000,1767786400000,255,'*','creative','\0','\0','\0','\0'),
(4,'#offline#','198.51.100.9','VPN','CONSOLE','Console',NULL,NULL,NULL,'2026-01-08 00:00:00',1767710000000,0,255,'*','lobby',_binary '\0',_binary '',_binary '\0',_binary '');
UNLOCK TABLES;
CREATE TABLE `litebans_mutes` (`id` bigint(20) NOT NULL, `uuid` varchar(36) DEFAULT NULL, `ip` varchar(45) DEFAULT NULL, `reason` varchar(2048) DEFAULT NULL, `banned_by_uuid` varchar(36) NOT NULL, `banned_by_name` varchar(128) DEFAULT NULL, `time` bigint(20) NOT NULL, `until` bigint(20) NOT NULL, `active` bit(1) NOT NULL);
INSERT INTO `litebans_mutes` (`id`, `uuid`, `reason`, `banned_by_uuid`, `banned_by_name`, `time`, `until`, `active`) VALUES (7,'069a79f4-44e9-4726-a5be-fca90e38aaf5','Spam
on two lines','853c80ef-3c37-49fd-aa49-938b674adae6','jeb_',1767800000000,4102444800000,1);
INSERT INTO `litebans_warnings` (`id`, `uuid`, `reason`, `banned_by_uuid`, `banned_by_name`, `time`, `until`, `active`) VALUES (9,'61699b2e-d327-4a01-9f1e-0ea8c3f06bc6','Language','853c80ef-3c37-49fd-aa49-938b674adae6','jeb_',1767810000000,0,1);
INSERT INTO `litebans_kicks` (`id`, `uuid`, `reason`, `banned_by_uuid`, `banned_by_name`, `time`, `until`, `active`) VALUES (11,'f84c6a79-0a4e-45e0-879b-cd49ebd4c4e2','AFK','CONSOLE','Console',1767820000000,0,0);
INSERT INTO `litebans_history` (`id`, `name`, `uuid`) VALUES (1,'Notch','069a79f4-44e9-4726-a5be-fca90e38aaf5');
