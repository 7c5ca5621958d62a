-- phpMyAdmin SQL Dump
SET SQL_MODE = "NO_AUTO_VALUE_ON_ZERO";
CREATE TABLE `sb_admins` (
  `aid` int(6) NOT NULL,
  `user` varchar(64) NOT NULL,
  `authid` varchar(64) NOT NULL DEFAULT ''
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
INSERT INTO `sb_admins` (`aid`, `user`, `authid`) VALUES
(0, 'CONSOLE', 'STEAM_ID_SERVER'),
(2, 'GabeN', 'STEAM_0:0:11101');
CREATE TABLE `sb_bans` (
  `bid` int(6) NOT NULL,
  `ip` varchar(32) DEFAULT NULL,
  `authid` varchar(64) NOT NULL DEFAULT '',
  `name` varchar(128) NOT NULL DEFAULT 'unnamed',
  `created` int(11) NOT NULL DEFAULT 0,
  `ends` int(11) NOT NULL DEFAULT 0,
  `length` int(10) NOT NULL DEFAULT 0,
  `reason` text NOT NULL,
  `aid` int(6) NOT NULL DEFAULT 0,
  `adminIp` varchar(128) NOT NULL DEFAULT '',
  `sid` int(6) NOT NULL DEFAULT 0,
  `country` varchar(4) DEFAULT NULL,
  `RemovedBy` int(8) DEFAULT NULL,
  `RemoveType` varchar(3) DEFAULT NULL,
  `RemovedOn` int(10) DEFAULT NULL,
  `type` tinyint(4) NOT NULL DEFAULT 0,
  `ureason` text DEFAULT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
INSERT INTO `sb_bans` (`bid`, `ip`, `authid`, `name`, `created`, `ends`, `length`, `reason`, `aid`, `adminIp`, `sid`, `country`, `RemovedBy`, `RemoveType`, `RemovedOn`, `type`, `ureason`) VALUES
(6, '203.0.113.20', 'STEAM_0:1:11102', 'Freeman', 1767225600, 1767225600, 0, 'Aimbot', 2, '203.0.113.1', 1, 'US', NULL, NULL, NULL, 0, NULL),
(7, NULL, '[U:1:22206]', 'Alyx', 1767225600, 1767312000, 86400, 'Wallhack', 2, '203.0.113.1', 1, NULL, 2, 'U', 1767229200, 0, 'Mistake'),
(8, NULL, '76561197960287930', 'Barney', 1767225600, 1767229200, 3600, 'Team killing', 0, '203.0.113.1', 1, NULL, 0, 'E', 1767229200, 0, NULL),
(9, '198.51.100.20', '', 'IP only', 1767225600, 1767225600, 0, 'Proxy', 2, '203.0.113.1', 1, NULL, NULL, NULL, NULL, 1, NULL);
INSERT INTO `sb_comms` (`bid`, `authid`, `name`, `created`, `ends`, `length`, `reason`, `aid`, `adminIp`, `sid`, `RemovedBy`, `RemoveType`, `RemovedOn`, `type`, `ureason`) VALUES
(3, 'STEAM_1:1:11102', 'Freeman', 1767225600, 1767225600, 0, 'Mic spam', 2, '203.0.113.1', 1, NULL, NULL, NULL, 2, NULL),
(4, 'STEAM_1:1:11103', 'Alyx', 1767225600, 1767232800, -1, 'Until they leave', 2, '203.0.113.1', 1, NULL, NULL, NULL, 1, NULL);
