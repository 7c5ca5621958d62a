-- phpMyAdmin SQL Dump
INSERT INTO `sb_bans` (`bid`, `ip`, `authid`, `name`, `created`, `ends`, `length`, `reason`, `aid`, `type`) VALUES
(6, NULL, 'STEAM_0:1:11102', 'Freeman', 1767225600, 1767225600, 0, 'Aimbot', 2, 0),
(7, NULL, 'STEAM_0:1:11103', 'Alyx', 1767225600, 1767312000, 'a day', 'Wallhack', 2, 0),
(8, NULL, 'STEAM_0:1:11104', 'Barney', yesterday, 1767229200, 3600, 'Team killing', 0, 0),
(9, NULL, 'STEAM_0:7:x', 'Nobody', 1767225600, 1767225600, 0, 'Proxy', 2, 0),
(10, NULL, 'STEAM_0:1:11105', 'Eli', 1767225600, 1767225600, 0, 'Aimbot', 2, 0);
INSERT INTO `sb_comms` (`bid`, `authid`, `name`, `created`, `ends`, `length`, `reason`, `aid`, `type`) VALUES
(3, 'STEAM_1:1:11102', 'Freeman', 1767225600, 1767225600, 0, 'Mic sp