import { isRecordAction, isUuid, severities } from '@reeve/core'
import {
  emptyRecord,
  type ForeignComment,
  type ForeignRecord,
  type ParseFile,
  toItem,
  UnreadableEntry,
} from './format.ts'
import { readJsonLines } from './json.ts'
import { type Fields, isObject, requireObject, requireText, shorten, toText, toTime } from './values.ts'

/** The export of records of another workspace or instance as JSON Lines. */
export const parseReeve: ParseFile = async function* (text) {
  for await (const item of readJsonLines(text)) {
    if ('problem' in item) yield item
    else yield toItem(item.line, () => convert(requireObject(item.value)))
  }
}

const listObjects = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? value.filter(isObject) : []

function convert(entry: Fields): ForeignRecord {
  const action = requireText(entry, 'action')
  if (!isRecordAction(action)) throw new UnreadableEntry(`action ${shorten(action)} is unknown`)
  const isTimed = toText(entry.expiresAt) !== null
  const isLifted = toText(entry.revokedAt) !== null
  return {
    ...emptyRecord,
    sourceId: requireText(entry, 'id'),
    action,
    userId: requireText(entry, 'userId'),
    userUsername: toText(entry.userUsername),
    reason: toText(entry.reason),
    severity: severities.find((severity) => severity === entry.severity) ?? null,
    occurredAt: toTime(entry, toText(entry.occurredAt) === null ? 'createdAt' : 'occurredAt'),
    expiresAt: isTimed ? toTime(entry, 'expiresAt') : null,
    isLifted,
    liftedAt: isLifted ? toTime(entry, 'revokedAt') : null,
    liftedBy: toText(entry.revokedByUsername),
    liftReason: toText(entry.revokeReason),
    isReplaced: entry.status === 'superseded',
    moderator: toText(entry.originalModerator) ?? toText(entry.actorUsername),
    publicReason: toText(entry.publicReason),
    comments: listObjects(entry.comments).map(convertComment),
    evidence: (Array.isArray(entry.evidence) ? entry.evidence : []).flatMap((item) => toText(item) ?? []),
    isAcknowledged: toText(entry.acknowledgedAt) !== null,
  }
}

function convertComment(comment: Fields): ForeignComment {
  const id = requireText(comment, 'id')
  if (!isUuid(id)) throw new UnreadableEntry(`the id of a comment is not one of Reeve: ${shorten(id)}`)
  return {
    id,
    text: requireText(comment, 'text'),
    author: toText(comment.authorUsername) ?? '',
    createdAt: toTime(comment, 'createdAt'),
  }
}
