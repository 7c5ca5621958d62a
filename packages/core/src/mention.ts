/**
 * Mentions of accounts in texts. A text stores `<@id>` instead of a name, so that it stays right after the account is renamed, and
 * contains no name after it is deleted.
 */

const TOKEN = /<@([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})>/g

/** How a text stores a mention. */
export const formatMention = (accountId: string): string => `<@${accountId}>`

/** The ids of the accounts that a text mentions, in order and without duplicates. */
export const listMentionedIds = (text: string): string[] => [
  ...new Set([...text.matchAll(TOKEN)].map(([, id]) => String(id))),
]

/** A part of a text: plain text, or the id of an account that is mentioned. */
export type TextPart = { readonly text: string } | { readonly accountId: string }

/** Splits a text at its mentions. */
export function splitMentions(text: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const match of text.matchAll(TOKEN)) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index) })
    parts.push({ accountId: String(match[1]) })
    end = match.index + match[0].length
  }
  if (end < text.length) parts.push({ text: text.slice(end) })
  return parts
}
