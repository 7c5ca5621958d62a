import {
  type Actor,
  formatMention,
  hasPermission,
  invalidRequest,
  listMentionedIds,
  normalizeName,
} from '@reeve/core'
import type { Queries } from '@reeve/db'
import { findCaseStaff, findCaseStaffByName } from '../case-staff.ts'

/** Maximum number of people that a comment mentions. */
const MAX_MENTIONS = 20

/** The maximum length of a username. */
const MAX_NAME_LENGTH = 50

/** An `@` at the start of a word: not that of an e-mail address, nor that of a stored mention. */
const AT = /(?<![\p{L}\p{N}_@<.])@(?=[^\s@])/gu

/** Whether a name can end before `rest`: not in the middle of a word. */
const isWordEnd = (name: string, rest: string): boolean =>
  !/\s$/u.test(name) && !(/[\p{L}\p{N}_]$/u.test(name) && /^[\p{L}\p{M}\p{N}_]/u.test(rest))

/** Every text after an `@` that can be a name, longest first: names can contain spaces and punctuation. */
function listCandidates(text: string): string[] {
  const line = text.slice(0, MAX_NAME_LENGTH).split('\n', 1)[0] ?? ''
  const characters = [...line]
  const candidates: string[] = []
  for (let length = characters.length; length > 0; length--) {
    const name = characters.slice(0, length).join('')
    if (isWordEnd(name, text.slice(name.length))) candidates.push(name)
  }
  return candidates
}

/**
 * Replaces `@name` by a stored mention where it names a member who can view cases. Only an actor who may view members mentions by
 * name, so that nobody finds out who is a member by writing comments. Other texts with an `@` stay as they are.
 * @returns the text, and the accounts that it mentions
 * @throws AppError `invalid_request` naming `value`, if it mentions too many people
 */
export async function resolveMentions(
  db: Queries,
  actor: Actor,
  text: string,
): Promise<{ text: string; accountIds: readonly string[] }> {
  const resolved = hasPermission(actor, 'members.view') ? await replaceNames(db, actor, text) : text
  const ids = listMentionedIds(resolved)
  if (ids.length > MAX_MENTIONS) {
    throw invalidRequest({ field: 'value', message: `mentions more than ${MAX_MENTIONS} people` })
  }
  const staff = await findCaseStaff(db, actor.workspaceId, ids)
  return { text: resolved, accountIds: ids.filter((id) => staff.has(id)) }
}

async function replaceNames(db: Queries, actor: Actor, text: string): Promise<string> {
  const places = [...text.matchAll(AT)].map(({ index }) => ({
    index,
    candidates: listCandidates(text.slice(index + 1)),
  }))
  const keys = new Set(places.flatMap(({ candidates }) => candidates.map(normalizeName)))
  const staff = await findCaseStaffByName(db, actor.workspaceId, [...keys])
  let resolved = ''
  let end = 0
  for (const { index, candidates } of places) {
    const name = candidates.find((candidate) => staff.has(normalizeName(candidate)))
    const member = name === undefined ? undefined : staff.get(normalizeName(name))
    if (name === undefined || !member || index < end) continue
    resolved += text.slice(end, index) + formatMention(member.accountId)
    end = index + 1 + name.length
  }
  return resolved + text.slice(end)
}
