import { sql } from 'kysely'
import type { NameIndex } from '../statement.ts'

/** The grams of a name or a search as FTS5 reads them: numbers with spaces between them. */
const toText = (grams: readonly number[]) => sql`(select group_concat(value, ' ') from json_each(${grams}))`

/**
 * An FTS5 table whose words are grams. It stores which names contain a gram and nothing else: neither the grams of a name,
 * so that deleting one needs them again, nor their positions.
 */
export const sqliteNameIndex: NameIndex = {
  create: [
    "create virtual table player_name_gram using fts5(grams, content='', columnsize=0, detail=none, tokenize='ascii')",
  ],
  nextId: sql<number>`(select coalesce(max(id), 0) + 1 from player_name)`,
  setNextId: null,
  contains: ({ grams, before, limit }) =>
    sql`id in (select rowid from player_name_gram where player_name_gram match ${toText(grams)} and rowid < ${before} order by rowid desc limit ${limit})`,
  insert: ({ id, grams }) =>
    sql`insert into player_name_gram (rowid, grams) values (${id}, ${toText(grams)})`,
  insertAll: (names) =>
    sql`insert into player_name_gram (rowid, grams) select value ->> 'id',
        (select group_concat(value, ' ') from json_each(names.value, '$.grams'))
      from json_each(${JSON.stringify(names)}) names`,
  remove: ({ id, grams }) =>
    sql`insert into player_name_gram (player_name_gram, rowid, grams) values ('delete', ${id}, ${toText(grams)})`,
}
