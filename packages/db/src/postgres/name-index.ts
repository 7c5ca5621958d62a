import { sql } from 'kysely'
import type { NameIndex } from '../statement.ts'

/** The table of the index. It is derived, so that it is neither copied nor compared. */
export const NAME_INDEX_TABLE = 'player_name_gram'

/** Grams as the column stores them: PostgreSQL has no unsigned integers. */
const toArray = (grams: readonly number[]) =>
  sql`array(select (gram - 2147483648)::int4 from unnest(${grams}::bigint[]) gram)`

/**
 * A table with the grams of each name, and a GIN index on them, which needs no extension. Without its list of pending
 * entries, which every search would read to the end.
 */
export const postgresNameIndex = {
  create: [
    'create table player_name_gram (id bigint not null, grams int4[] not null)',
    'create index player_name_gram_by_id on player_name_gram (id)',
    'create index player_name_gram_by_gram on player_name_gram using gin (grams) with (fastupdate = off)',
    'create sequence player_name_id',
  ],
  nextId: sql<number>`nextval('player_name_id')`,
  setNextId: "select setval('player_name_id', (select coalesce(max(id), 0) + 1 from player_name), false)",
  // Materialized, because the planner would otherwise read the names by their number if it expects many matches.
  contains: ({ grams, before, limit }) =>
    sql`id in (with found as materialized (select id from player_name_gram where grams @> ${toArray(grams)}) select id from found where id < ${before} order by id desc limit ${limit})`,
  insert: ({ id, grams }) => sql`insert into player_name_gram (id, grams) values (${id}, ${toArray(grams)})`,
  insertAll: (names) =>
    sql`insert into player_name_gram (id, grams) select (name ->> 'id')::bigint,
        array(select (gram::bigint - 2147483648)::int4 from jsonb_array_elements_text(name -> 'grams') gram)
      from jsonb_array_elements(${JSON.stringify(names)}::jsonb) name`,
  remove: ({ id }) => sql`delete from player_name_gram where id = ${id}`,
} satisfies NameIndex
