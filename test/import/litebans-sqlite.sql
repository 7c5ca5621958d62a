PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE IF NOT EXISTS "litebans_config" ("id" INTEGER, "text" VARCHAR);
INSERT INTO litebans_config VALUES(1,'C:\');
CREATE TABLE litebans_bans ("id" INTEGER PRIMARY KEY, "uuid" VARCHAR(36), "reason" VARCHAR(2048), "banned_by_uuid" VARCHAR(36), "banned_by_name" VARCHAR(128), "time" BIGINT, "until" BIGINT, "active" BIT);
INSERT INTO litebans_bans VALUES(1,'069a79f4-44e9-4726-a5be-fca90e38aaf5','Cheat in C:\','CONSOLE','Console',1767600000000,-1,1);
INSERT INTO litebans_bans VALUES(2,'61699b2e-d327-4a01-9f1e-0ea8c3f06bc6',replace(replace('It''s on\r\ntwo lines; C:\','\r',char(13)),'\n',char(10)),'CONSOLE','Console',1767650000000,-1,1);
INSERT INTO litebans_bans VALUES(3,'f84c6a79-0a4e-45e0-879b-cd49ebd4c4e2',unistr('On\u000atwo lines \\ \U0001f600'),'CONSOLE','Console',1767700000000,1767786400000,1);
COMMIT;
