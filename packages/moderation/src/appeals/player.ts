import { type CodeCaller, findByCode } from '@reeve/auth'
import {
  type Actor,
  AppError,
  type AppealQuestion,
  assertNoProblems,
  formatAppealCode,
  invalidRequest,
  MAX_APPEAL_FILES,
  type Ports,
  wire,
} from '@reeve/core'
import {
  type AppealTable,
  type Database,
  isUniqueViolation,
  type Queries,
  type RecordTable,
  statement,
  type Transaction,
} from '@reeve/db'
import { listAppealFiles, splitEvidenceFiles } from '../evidence-files/stored-files.ts'
import { requireRecord } from '../records/record-store.ts'
import { getStatus } from '../records/sanction.ts'
import type { AppealInput, PlayerAppeal } from './model.ts'
import { MAX_APPEALS_PER_BAN } from './next-appeal.ts'
import { getAppealWindow, getPublicReason } from './player-message.ts'
import { type AppealContext, findAppealObstacle, getAppealState, isOpen } from './rules.ts'
import { loadAppealSettings, parseQuestions } from './settings.ts'
import {
  findAppeals,
  findPublicMessages,
  insertAppeal,
  insertMessage,
  MAX_PLAYER_MESSAGES,
  updateAppeal,
} from './store.ts'

/** Across workspaces: the code is all that a player has. */
const recordByCode = statement<{ code: number }>()((sql, p) =>
  sql
    .selectFrom('record')
    .innerJoin('workspace', 'workspace.id', 'record.workspace_id')
    .selectAll('record')
    .where('appeal_code', '=', p.code)
    .where('hidden', 'is', null),
)

/**
 * Finds the ban with a code.
 * @param caller the workspace of a game finds only its own bans
 * @throws AppError `not_found`, `rate_limited` after too many wrong codes
 */
export const findAppealableBan = (
  db: Database,
  ports: Ports,
  caller: CodeCaller,
  code: number,
): Promise<RecordTable> =>
  findByCode(db, ports, caller, async (queries) => {
    const record = await queries.first(recordByCode, { code })
    const isOther = 'workspaceId' in caller && record?.workspace_id !== caller.workspaceId
    return isOther ? undefined : record
  })

/** The ban of a code that its browser has proven to know; undefined if it no longer exists. */
export const findBanByKnownCode = (db: Queries, code: number): Promise<RecordTable | undefined> =>
  db.first(recordByCode, { code })

/** A ban, its latest appeal, and how the workspace handles appeals. */
export async function loadPlayerContext(db: Queries, record: RecordTable) {
  const appeals = await findAppeals(
    db,
    { workspaceId: record.workspace_id, recordId: record.id },
    MAX_APPEALS_PER_BAN,
  )
  const settings = await loadAppealSettings(db, record.workspace_id)
  return { record, settings, last: appeals[0] ?? null, count: appeals.length } satisfies AppealContext
}
type PlayerContext = Awaited<ReturnType<typeof loadPlayerContext>>

/** A ban and its latest appeal, as the player sees them: no name of staff, and nothing internal. */
export async function presentForPlayer(
  db: Queries,
  ports: Ports,
  record: RecordTable,
): Promise<PlayerAppeal> {
  const context = await loadPlayerContext(db, record)
  const { settings, last } = context
  const now = ports.now()
  const obstacle = findAppealObstacle(context, now)
  const { from, until } = getAppealWindow(record, last?.next_appeal_at ?? null)
  return {
    ban: {
      appealCode: formatAppealCode(record.appeal_code ?? 0),
      userId: record.user_id,
      userUsername: record.user_username,
      reason: getPublicReason(record),
      status: getStatus(record, now),
      createdAt: wire.time.write(record.created_at),
      expiresAt: wire.writeNullableTime(record.expires_at),
    },
    canAppeal: String(obstacle === null),
    obstacle: obstacle?.code ?? null,
    obstacleMessage: obstacle?.message ?? null,
    appealableFrom: wire.writeNullableTime(from),
    appealableUntil: wire.writeNullableTime(until),
    form: {
      introduction: settings.introduction,
      questions: parseQuestions(settings).map(({ text, isRequired }) => ({
        text,
        required: String(isRequired),
      })),
    },
    appeal: last && (await presentAppealForPlayer(db, context, last, now)),
  }
}

async function presentAppealForPlayer(
  db: Queries,
  { record, settings }: PlayerContext,
  row: AppealTable,
  now: number,
) {
  const messages = await findPublicMessages(db, row)
  const canSendFiles = settings.allows_files === 1 && isOpen(row, now)
  return {
    id: row.id,
    state: getAppealState(row, now),
    submittedAt: wire.time.write(row.submitted_at),
    updatedAt: wire.time.write(row.updated_at),
    decidedAt: wire.writeNullableTime(row.decided_at),
    effect: row.effect,
    final: String(row.is_final === 1),
    canReply: String(isOpen(row, now)),
    answers: JSON.parse(row.answers) as { question: string; answer: string }[],
    messages: messages.map((message) => ({
      id: message.id,
      from: message.author,
      text: message.text,
      createdAt: wire.time.write(message.created_at),
    })),
    files: listAppealFiles(record, row.id).map(({ name, size, addedAt }) => ({
      name,
      size: String(size),
      createdAt: wire.time.write(addedAt),
    })),
    filesLeft: String(
      canSendFiles ? Math.max(0, MAX_APPEAL_FILES - splitEvidenceFiles(record).player.length) : 0,
    ),
  }
}

/** What a player has written. */
interface PlayerTexts {
  readonly message?: string | undefined
  readonly answers?: readonly string[] | undefined
}

/**
 * Does what a player wants, in the caller's transaction.
 * @param actor the API key of a game, or the player
 * @throws AppError `not_appealable`, `already_appealed`, `appeal_window_closed`, `invalid_request`, `conflict`
 */
export async function applyPlayerAction(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  recordId: string,
  { action = 'submit', message, answers }: PlayerTexts & Pick<AppealInput, 'action'>,
): Promise<PlayerAppeal> {
  const record = await requireRecord(tx, actor, recordId)
  const context = await loadPlayerContext(tx, record)
  if (action === 'submit') await submit(tx, ports, actor, context, { message, answers })
  else if (answers !== undefined)
    throw invalidRequest({ field: 'answers', message: `is not used by ${action}` })
  else if (action === 'reply') await reply(tx, ports, actor, context, message)
  else if (message !== undefined)
    throw invalidRequest({ field: 'message', message: 'is not used by withdraw' })
  else
    await updateAppeal(tx, ports, actor, 'withdraw', requireOpen(context, ports), {
      state: 'withdrawn',
      closed_at: ports.now(),
    })
  return presentForPlayer(tx, ports, record)
}

async function submit(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  context: PlayerContext,
  { message, answers = [] }: PlayerTexts,
): Promise<void> {
  const now = ports.now()
  const obstacle = findAppealObstacle(context, now)
  if (obstacle !== null) throw obstacle
  const answered = pairAnswers(parseQuestions(context.settings), answers, message)
  const { record } = context
  const row: AppealTable = {
    workspace_id: record.workspace_id,
    id: ports.newId(),
    record_id: record.id,
    case_number: record.case_number,
    user_id: record.user_id,
    user_username: record.user_username,
    state: 'submitted',
    ban_expires_at: record.expires_at,
    submitted_at: now,
    updated_at: now,
    closed_at: null,
    decided_at: null,
    waited_ms: null,
    decided_by: null,
    effect: null,
    next_appeal_at: null,
    is_final: 0,
    answers: JSON.stringify(answered),
    message_count: message === undefined ? 0 : 1,
    version: 1,
  }
  try {
    await insertAppeal(tx, ports, actor, row)
  } catch (error) {
    // Another request was faster.
    if (isUniqueViolation(error)) throw new AppError('already_appealed')
    throw error
  }
  if (message !== undefined) await insertMessage(tx, ports, row, toPlayerMessage(actor, message))
}

const toPlayerMessage = (actor: Actor, text: string) => ({
  author: 'player' as const,
  author_id: actor.kind === 'system' ? null : actor.id,
  is_internal: 0,
  text,
})

/** The answers with their questions. @throws AppError `invalid_request` naming what is missing */
function pairAnswers(
  questions: readonly AppealQuestion[],
  answers: readonly string[],
  message: string | undefined,
) {
  assertNoProblems([
    ...(message === undefined ? [{ field: 'message', message: 'is required' }] : []),
    ...(answers.length > questions.length
      ? [
          {
            field: 'answers',
            message: `must have at most ${questions.length} items: the form has no more questions`,
          },
        ]
      : []),
    ...questions.flatMap(({ text, isRequired }, index) =>
      isRequired && !answers[index]
        ? [{ field: 'answers', message: `must answer question ${index + 1}: ${text}` }]
        : [],
    ),
  ])
  return questions.flatMap(({ text }, index) =>
    answers[index] ? [{ question: text, answer: answers[index] }] : [],
  )
}

/** @throws AppError `conflict` if there is no open appeal */
export function requireOpen({ last }: AppealContext, ports: Ports): AppealTable {
  if (last === null || !isOpen(last, ports.now()))
    throw new AppError('conflict', { message: 'This ban has no open appeal.' })
  return last
}

async function reply(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  context: AppealContext,
  message: string | undefined,
): Promise<void> {
  const appeal = requireOpen(context, ports)
  if (message === undefined) throw invalidRequest({ field: 'message', message: 'is required' })
  const written = (await findPublicMessages(tx, appeal)).filter(({ author }) => author === 'player')
  if (written.length >= MAX_PLAYER_MESSAGES) {
    throw new AppError('conflict', {
      message: `You can write at most ${MAX_PLAYER_MESSAGES} messages about an appeal.`,
    })
  }
  await insertMessage(tx, ports, appeal, toPlayerMessage(actor, message))
  await updateAppeal(tx, ports, actor, 'reply', appeal, { message_count: appeal.message_count + 1 })
}
