import { type Ports, toSearchText, wire } from '@reeve/core'
import { mayContainWord, type Queries, statement } from '@reeve/db'
import { selectBestMatches } from './rank.ts'
import { SCAN_LIMIT, type SearchText } from './search-text.ts'

const keysByWord = statement<{ workspaceId: string; word: string; limit: number }>()((sql, p, dialect) =>
  sql
    .selectFrom((eb) =>
      eb
        .selectFrom('api_key')
        .select((key) => [
          'id',
          'name',
          'hint',
          key.fn<string>('lower', ['name']).as('name_key'),
          key.fn<string>('lower', ['hint']).as('hint_key'),
          'expires_at',
          'revoked_at',
        ])
        .where('workspace_id', '=', p.workspaceId)
        .orderBy('id', 'desc')
        .limit(p.limit)
        .as('candidate'),
    )
    .select(['id', 'name', 'hint', 'expires_at', 'revoked_at'])
    .where((eb) => eb.or([mayContainWord(dialect, 'name_key', p.word), dialect.contains('hint_key', p.word)]))
    .orderBy('id', 'desc'),
)
const pendingInvitations = statement<{ workspaceId: string; now: number; limit: number }>()((sql, p) =>
  sql
    .selectFrom('invitation')
    .select(['id', 'note', 'expires_at'])
    .where('workspace_id', '=', p.workspaceId)
    .where('expires_at', '>', p.now)
    .orderBy('id', 'desc')
    .limit(p.limit),
)

/** API keys by name, or by the last characters of the key; of equally good matches, those that still work come first. */
export async function findApiKeys(db: Queries, ports: Ports, workspaceId: string, { q, word }: SearchText) {
  const now = ports.now()
  const hasEnded = (time: number | null) => time !== null && time <= now
  const keys = (await db.all(keysByWord, { workspaceId, word, limit: SCAN_LIMIT })).map((row) => ({
    ...row,
    ended: hasEnded(row.revoked_at) || hasEnded(row.expires_at),
  }))
  const sorted = [...keys.filter(({ ended }) => !ended), ...keys.filter(({ ended }) => ended)]
  return selectBestMatches(sorted, q, ({ name, hint }) =>
    // A part of the hint would match many keys by chance.
    toSearchText(hint) === toSearchText(q) ? [name, hint] : [name],
  ).map(({ id, name, hint, ended }) => ({
    id,
    name,
    hint,
    ended: wire.boolean.write(ended),
  }))
}

/** Pending invitations by their note. */
export async function findInvitations(db: Queries, ports: Ports, workspaceId: string, { q }: SearchText) {
  const rows = await db.all(pendingInvitations, { workspaceId, now: ports.now(), limit: SCAN_LIMIT })
  const candidates = rows.flatMap(({ id, note, expires_at }) =>
    note === null ? [] : [{ id, note, expires_at }],
  )
  return selectBestMatches(candidates, q, ({ note }) => [note]).map(({ id, note, expires_at }) => ({
    id,
    note,
    expiresAt: wire.time.write(expires_at),
  }))
}
