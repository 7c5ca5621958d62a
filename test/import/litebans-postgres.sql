--
-- PostgreSQL database dump
--

-- Dumped from database version 16.4

SET statement_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);

COMMENT ON SCHEMA public IS 'C:\';

CREATE TABLE public.litebans_bans (
    id bigint NOT NULL,
    uuid character varying(36),
    ip character varying(45),
    reason character varying(2048) DEFAULT 'x'::character varying,
    banned_by_uuid character varying(36) NOT NULL,
    banned_by_name character varying(128),
    removed_by_name character varying(128),
    removed_by_reason character varying(2048),
    removed_by_date timestamp without time zone DEFAULT CURRENT_TIMESTAMP,
    "time" bigint NOT NULL,
    until bigint NOT NULL,
    active boolean NOT NULL
);

INSERT INTO public.litebans_bans OVERRIDING SYSTEM VALUE VALUES (1, '069a79f4-44e9-4726-a5be-fca90e38aaf5', NULL, 'Cheat in C:\', 'CONSOLE', 'Console', NULL, NULL, NULL, 1767600000000, -1, true);
INSERT INTO public.litebans_bans OVERRIDING SYSTEM VALUE VALUES (2, '61699b2e-d327-4a01-9f1e-0ea8c3f06bc6', NULL, 'It''s \n, not a line', 'CONSOLE', 'Console', 'jeb_', E'Appeal \\ \'accepted\'\n\u00e9', '2026-01-10 12:30:00', 1767650000000, -1, false);
INSERT INTO public.litebans_bans (id, uuid, reason, banned_by_uuid, banned_by_name, "time", until, active) VALUES (3, 'f84c6a79-0a4e-45e0-879b-cd49ebd4c4e2', U&'Sp\00e9cial \\ !' UESCAPE '\', 'CONSOLE', 'Console', 1767700000000, 1767786400000, true);
