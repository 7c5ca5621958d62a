import { randomBytes } from 'node:crypto'
import { type AppContext, publicPageRoute, publicRoute, toIpNetwork } from '@reeve/auth'
import { type Actor, AppError, MAX_APPEAL_FILE_BYTES, MAX_APPEAL_QUESTIONS, wire } from '@reeve/core'
import { type RecordTable, statement } from '@reeve/db'
import { type Commit, inputField, type RequestContext, requestObject } from '@reeve/http'
import { Elysia } from 'elysia'
import { admitAppealFile, attachAppealFile } from '../attach-file.ts'
import { answerList, appealCode, appealText } from '../codecs.ts'
import { applyPlayerAction, findAppealableBan, findBanByKnownCode, presentForPlayer } from '../player.ts'
import { clearCodeCookie, createCodeCookie, readCodeCookie } from './cookie.ts'
import { FORM_OVERHEAD_BYTES, readFormFile } from './form-file.ts'
import { type Entered, pagePolicy, renderBanPage, renderCodePage } from './render.ts'

const workspaceById = statement<{ workspaceId: string }>({ isLookup: true })((sql, p) =>
  sql.selectFrom('workspace').select('archived_at').where('id', '=', p.workspaceId),
)
const controlOfModeration = statement<{ workspaceId: string }>({ isLookup: true })((sql, p) =>
  sql
    .selectFrom('endpoint_control')
    .select(['mode', 'message'])
    .where('workspace_id', '=', p.workspaceId)
    .where('endpoint', '=', 'moderation'),
)

/** Fields of a form are checked when the page can show what is wrong with them. */
const formText = inputField<string>({
  read: (raw) => raw,
  write: (value) => value,
  description: 'Text',
  example: '',
})
const answerNames = Array.from({ length: MAX_APPEAL_QUESTIONS }, (_, index) => `answer${index + 1}`)
const AppealForm = requestObject({
  action: formText,
  code: formText,
  message: formText,
  ...Object.fromEntries(answerNames.map((name) => [name, formText])),
})
const AppealPageQuery = requestObject({ code: formText })
type FormFields = Readonly<Partial<Record<string, string>>>

interface PageContext {
  readonly request: Request
  readonly set: { status?: number | string; headers: Record<string, unknown> }
}

const PATH = '/appeal'
const FILE_PATH = `${PATH}/file`

/** `/appeal`: where a banned player reads the reason and appeals, with the code of the ban, without an account and without scripts. */
export const appealPage = (app: AppContext) => {
  const { db, ports } = app

  function setHeaders({ set }: PageContext): string {
    const nonce = randomBytes(16).toString('base64')
    set.headers['content-type'] = 'text/html; charset=utf-8'
    set.headers['content-security-policy'] = pagePolicy(nonce).join('; ')
    set.headers['cache-control'] = 'no-store'
    // Not `no-referrer`: browsers would send the forms without their origin.
    set.headers['referrer-policy'] = 'same-origin'
    set.headers['x-robots-tag'] = 'noindex'
    return nonce
  }

  function redirect({ set }: PageContext, cookie?: string): string {
    set.status = 303
    set.headers.location = PATH
    if (cookie !== undefined) set.headers['set-cookie'] = cookie
    return ''
  }

  const showCodePage = (context: PageContext, problem: string | null, entered: Entered): string =>
    renderCodePage(setHeaders(context), problem, entered)

  async function showBanPage(
    context: PageContext,
    ban: RecordTable,
    problem: string | null,
    entered: Entered,
  ) {
    const [appeal, closedMessage] = await Promise.all([
      presentForPlayer(db.read, ports, ban),
      findClosedMessage(ban.workspace_id),
    ])
    return renderBanPage(setHeaders(context), appeal, problem, entered, closedMessage)
  }

  /** Why a workspace receives no appeals at present; null if it does. */
  async function findClosedMessage(workspaceId: string): Promise<string | null> {
    const workspace = await db.read.first(workspaceById, { workspaceId })
    if (workspace?.archived_at !== null) return 'This community receives no appeals any more.'
    const control = await db.read.first(controlOfModeration, { workspaceId })
    if (!control || control.mode === 'on') return null
    return control.message ?? 'No appeals can be sent at present. Try again later.'
  }

  function askAgain(context: PageContext, entered: Entered): string {
    context.set.status = 403
    return showCodePage(context, 'Enter your code again: it was too long ago.', entered)
  }

  async function findKnownBan(request: Request): Promise<RecordTable | null> {
    const code = readCodeCookie(app, request)
    return code === null ? null : ((await findBanByKnownCode(db.read, code)) ?? null)
  }

  async function openCode(context: PageContext, actor: Actor, fields: FormFields): Promise<string> {
    const { code: entered = '' } = fields
    try {
      const code = readField('', () => appealCode.read(entered.trim()))
      await findAppealableBan(db, ports, { ip: actor.ip }, code)
      return redirect(context, createCodeCookie(app, context.request, code))
    } catch (error) {
      return showCodePage(context, reportProblem(context, error), { code: entered })
    }
  }

  async function act(
    context: PageContext,
    actor: Actor,
    ban: RecordTable,
    fields: FormFields,
  ): Promise<string> {
    const entered = readEntered(fields)
    const { action, message, answers } = entered
    try {
      if (action !== 'submit' && action !== 'reply' && action !== 'withdraw')
        throw new AppError('invalid_request', { message: 'This form is not complete. Try again.' })
      const closedMessage = await findClosedMessage(ban.workspace_id)
      if (closedMessage !== null) throw new AppError('conflict', { message: closedMessage })
      const player = toPlayer(actor, ban)
      const input = {
        action,
        ...(action !== 'withdraw' && { message: readField('Your message', () => appealText.read(message)) }),
        ...(action === 'submit' && { answers: readField('An answer', () => readAnswers(answers)) }),
      } as const
      await db.write(async (tx) => {
        await app.storage.assertAvailable(tx, ban.workspace_id, 'essential')
        await applyPlayerAction(tx, ports, player, ban.id, input)
      })
      return redirect(context)
    } catch (error) {
      return showBanPage(context, ban, reportProblem(context, error), entered)
    }
  }

  async function sendFile(
    context: PageContext,
    actor: Actor,
    requestContext: RequestContext,
    ban: RecordTable,
  ): Promise<string> {
    const { request } = context
    try {
      const closedMessage = await findClosedMessage(ban.workspace_id)
      if (closedMessage !== null) throw new AppError('conflict', { message: closedMessage })
      await app.storage.assertAvailable(db.read, ban.workspace_id, 'optional')
      await admitAppealFile(db, ports, ban, actor.ip)
      const sender = { id: toIpNetwork(actor.ip), isAuthenticated: false, rejection: null }
      const limit = MAX_APPEAL_FILE_BYTES + FORM_OVERHEAD_BYTES
      await app.files.receive(request, limit, sender, async (bytes) => {
        const file = await readFormFile(new Uint8Array(bytes), request.headers.get('content-type'))
        // The page has no idempotency keys.
        const commit: Commit = (_, unit) => db.write(unit)
        await attachAppealFile({ ...app, commit }, toPlayer(actor, ban), requestContext, ban, file)
      })
      return redirect(context)
    } catch (error) {
      return showBanPage(context, ban, reportProblem(context, error), {})
    }
  }

  return new Elysia({ name: 'appeal-page', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .get(
      PATH,
      async ({ query, request, set }) => {
        const context = { request, set }
        const ban = await findKnownBan(request)
        const { code } = query as FormFields
        return ban === null || code !== undefined
          ? showCodePage(context, null, { code })
          : showBanPage(context, ban, null, {})
      },
      {
        permission: publicRoute,
        query: AppealPageQuery,
        detail: { summary: 'The page for appeals', hide: true },
      },
    )
    .post(
      PATH,
      async ({ actor, body, request, set }) => {
        const context = { request, set }
        const fields = body as FormFields
        if (fields.action === 'open') return openCode(context, actor, fields)
        if (fields.action === 'close') return redirect(context, clearCodeCookie(app, request))
        const ban = await findKnownBan(request)
        return ban === null ? askAgain(context, readEntered(fields)) : act(context, actor, ban, fields)
      },
      {
        permission: { ...publicPageRoute, acceptsForm: true },
        body: AppealForm,
        detail: { summary: 'What the page for appeals sends', hide: true },
      },
    )
    .post(
      FILE_PATH,
      async ({ actor, request, requestContext, set }) => {
        const context = { request, set }
        const ban = await findKnownBan(request)
        return ban === null ? askAgain(context, {}) : sendFile(context, actor, requestContext, ban)
      },
      {
        permission: { ...publicPageRoute, streamsBody: true },
        detail: { summary: 'A file that the page for appeals sends', hide: true },
      },
    )
}

/** Who a person on the page is in the audit log. */
const toPlayer = (actor: Actor, ban: RecordTable): Actor => ({
  ...actor,
  id: 'player',
  name: 'Player',
  workspaceId: ban.workspace_id,
})

/** What the player typed into the form of an appeal or a reply. */
const readEntered = ({ action, message = '', ...fields }: FormFields) =>
  ({ action, message, answers: answerNames.map((name) => fields[name] ?? '') }) satisfies Entered

/** The answers up to the last one that is not empty. */
const readAnswers = (answers: readonly string[]): readonly string[] =>
  answerList.readList?.(answers.slice(0, answers.findLastIndex((answer) => answer.trim() !== '') + 1)) ?? []

/** @throws AppError `invalid_request` with what is wrong, as a sentence about the field */
function readField<Value>(label: string, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof wire.WireError)) throw error
    const message = label === '' ? `The code ${error.message}.` : `${label} ${error.message}.`
    throw new AppError('invalid_request', { message })
  }
}

/** Sets the status of an error that the player can understand. @returns its message @throws every other error */
function reportProblem({ set }: PageContext, error: unknown): string {
  if (!(error instanceof AppError) || error.status >= 500) throw error
  set.status = error.status
  Object.assign(set.headers, error.options.headers)
  const [problem] = error.options.details ?? []
  if (problem === undefined) return error.message
  return `Your ${problem.field === 'file' ? 'file' : 'appeal'} ${problem.message}.`
}
