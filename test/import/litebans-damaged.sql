INSERT INTO `litebans_bans` (`id`, `uuid`, `reason`, `banned_by_uuid`, `banned_by_name`, `time`, `until`, `active`) VALUES
(1,'069a79f4-44e9-4726-a5be-fca90e38aaf5','first','CONSOLE','Console',1767600000000,-1,1),
(2,'61699b2e-d327-4a01-9f1e-0ea8c3f06bc6','no closing quote,'CONSOLE','Console',1767600000000,-1,1),
(3,'not-a-uuid','third','CONSOLE','Console',1767600000000,-1,1),
(4,'f84c6a79-0a4e-45e0-879b-cd49ebd4c4e2','too few','CONSOLE'),
(5,'f84c6a79-0a4e-45e0-879b-cd49ebd4c4e2','fifth','CONSOLE','Console',yesterday,-1,1),
(6,'f84c6a79-0a4e-45e0-879b-cd49ebd4c4e2','sixth','CONSOLE','Console',1767600000000,-1,1);
INSERT INTO `litebans_bans` (`id`, `uuid`, `reason`, `banned_by_uuid`, `banned_by_name`, `time`, `until`, `active`) VALUES
(7,'853c80ef-3c37-49fd-aa49-938b674adae6','cut off','CONS
