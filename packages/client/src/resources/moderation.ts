import type { Api, ResultWith } from '../api.ts'
import { findEndingLast } from '../ending-last.ts'
import {
  type Body,
  type Filter,
  type Input,
  type Query,
  type Schemas,
  toSinglePlayerId,
  type UserId,
  type Values,
} from '../input.ts'
import type { RequestOptions } from '../options.ts'
import type { Approval } from './approvals.ts'

const PATH = '/api/moderation'
const PREVIEW_PATH = '/api/moderation/preview'
type Fields = Body<typeof PATH, 'post'>
type Parameters = Query<typeof PATH>

/** The person that an API key acts for; the audit log records the key as well. */
type Actor = 'actorPlatformUserId' | 'actorUsername' | 'workspaceId'
/** What every new record may have. */
type Details = 'userUsername' | 'severity' | 'evidence' | Actor

export type RecordInput = Input<Fields, 'userId' | 'reason', Details>
export type SanctionInput = Input<Fields, 'userId' | 'reason', 'durationSeconds' | 'replaces' | Details>
/** Without `action`, the ladder of the template decides what happens. */
export type TemplateActionInput = Input<
  Fields,
  'userId' | 'templateId',
  'action' | 'reason' | 'durationSeconds' | 'replaces' | Details
>
export type TemplatePreviewQuery = Input<Query<typeof PREVIEW_PATH>, 'userId' | 'templateId', 'workspaceId'>
/** Names a player, the record to lift, or both: then the player is only free if that record is in force. */
export type LiftInput =
  | Input<Fields, 'userId', 'id' | 'reason' | Actor>
  | (Input<Fields, 'id', 'reason' | Actor> & { readonly userId?: undefined })
export type EditInput = Input<
  Fields,
  'id',
  'reason' | 'severity' | 'evidence' | 'durationSeconds' | 'userUsername' | Actor
>
export type EntryInput = Input<Fields, 'id' | 'value', Actor>
export type AcknowledgeInput = Input<Fields, 'id', Actor>
export type RevokeInput = Input<Fields, 'id' | 'reason', Actor>

/** Which records to list. */
export type RecordFilter = Filter<
  Parameters,
  | 'userId'
  | 'actorUserId'
  | 'severity'
  | 'status'
  | 'action'
  | 'from'
  | 'to'
  | 'text'
  | 'caseNumber'
  | 'limit'
  | 'cursor'
  | 'workspaceId'
>
/** Which bans to list. */
export type BanFilter = Filter<
  Parameters,
  'userId' | 'asOf' | 'actorUserId' | 'severity' | 'status' | 'limit' | 'cursor' | 'workspaceId'
>

/** Which bans to list; with `links`, also which other players may be the same person as these (`userId`). */
export type ActiveBanFilter = BanFilter & Filter<Parameters, 'links'>

/** A record with its comments and evidence. */
export type ModerationRecord = Schemas['Record']
/** A new record, and if it is a ban that needs approval, the request for it: until a decision, the ban is a temporary one. */
export type NewRecord = ModerationRecord & { readonly approval: Approval | null }
/** What a template leads to for a player, and the records that count. */
export type TemplatePreview = Schemas['Preview']
/** A record in a list. */
export type RecordSummary = Schemas['RecordSummary']

/** Bans, mutes, kicks, warnings and notes on players. */
export class Moderation {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** A page of the active bans, newest first; with `userId` those of these players. */
  listBans(
    filter: ActiveBanFilter = {},
    options?: RequestOptions,
  ): Promise<ResultWith<typeof PATH, 'get', 'bans'>> {
    return this.#list({ ...filter, banList: true }, options)
  }

  /**
   * All active bans, newest first, page by page. A player who is banned again between two pages can be missing, although there was always a
   * ban in force: use `Reeve.follow` for a complete set, or `Reeve.check` for certain players.
   */
  listAllBans(filter: BanFilter = {}, options?: RequestOptions): AsyncGenerator<RecordSummary> {
    return this.#api.listAll(
      (cursor) => this.listBans({ ...filter, ...(cursor && { cursor }) }, options),
      ({ bans }) => bans,
    )
  }

  /** A page of all bans, active or not, newest first. */
  listBanHistory(
    filter: BanFilter = {},
    options?: RequestOptions,
  ): Promise<ResultWith<typeof PATH, 'get', 'history'>> {
    return this.#list({ ...filter, banHistory: true }, options)
  }

  /** A page of the records, newest first. */
  listRecords(
    filter: RecordFilter = {},
    options?: RequestOptions,
  ): Promise<ResultWith<typeof PATH, 'get', 'records'>> {
    return this.#list(filter, options)
  }

  /** All records, newest first. */
  listAllRecords(filter: RecordFilter = {}, options?: RequestOptions): AsyncGenerator<RecordSummary> {
    return this.#api.listAll(
      (cursor) => this.listRecords({ ...filter, ...(cursor && { cursor }) }, options),
      ({ records }) => records,
    )
  }

  /** A record with its comments, its evidence and its earlier versions. */
  get(
    query: { readonly id: string; readonly workspaceId?: string | undefined },
    options?: RequestOptions,
  ): Promise<ResultWith<typeof PATH, 'get', 'record'>> {
    return this.#list({ ...query }, options)
  }

  /** The active ban of a player, or with `asOf` the one that was in force at that time: of several, the one that ends last. Null if there is none. */
  async findBan(
    userId: UserId,
    options?: RequestOptions & Pick<BanFilter, 'workspaceId' | 'asOf'>,
  ): Promise<RecordSummary | null> {
    const { workspaceId, asOf, ...rest } = options ?? {}
    const filter = { userId: toSinglePlayerId('userId', userId), workspaceId, asOf }
    const { bans } = await this.listBans(filter, rest)
    return findEndingLast(bans)
  }

  /**
   * Bans a player, permanently without `durationSeconds`. Replaces an active ban.
   * @throws ConflictError if `replaces` names another ban than the active one, or is null and there is one
   */
  ban(input: SanctionInput, options?: RequestOptions): Promise<NewRecord> {
    return this.#create('ban', input, options)
  }

  /** Lifts the ban of a player. @throws ConflictError if the player is not banned */
  unban(input: LiftInput, options?: RequestOptions): Promise<ModerationRecord> {
    return this.#act('unban', input, options)
  }

  /** Mutes a player, permanently without `durationSeconds`. Replaces an active mute. */
  mute(input: SanctionInput, options?: RequestOptions): Promise<ModerationRecord> {
    return this.#act('mute', input, options)
  }

  /** Lifts the mute of a player. @throws ConflictError if the player is not muted */
  unmute(input: LiftInput, options?: RequestOptions): Promise<ModerationRecord> {
    return this.#act('unmute', input, options)
  }

  /** Records that a player was kicked. */
  kick(input: RecordInput, options?: RequestOptions): Promise<ModerationRecord> {
    return this.#act('kick', input, options)
  }

  warn(input: RecordInput, options?: RequestOptions): Promise<ModerationRecord> {
    return this.#act('warn', input, options)
  }

  note(input: RecordInput, options?: RequestOptions): Promise<ModerationRecord> {
    return this.#act('note', input, options)
  }

  /** Acts with a template. Unless `action` is set, its ladder decides what happens; `preview` returns what that would be. */
  act({ action, ...input }: TemplateActionInput, options?: RequestOptions): Promise<NewRecord> {
    return this.#create(action, input, options)
  }

  /** What `act` would do now with this template and player; its `action` is null if the template has no ladder. */
  async preview(query: TemplatePreviewQuery, options?: RequestOptions): Promise<TemplatePreview> {
    return (await this.#api.request('get', PREVIEW_PATH, { query }, options)).preview
  }

  /** Corrects a record; earlier versions stay readable. */
  edit(input: EditInput, options?: RequestOptions): Promise<ModerationRecord> {
    return this.#act('edit', input, options)
  }

  /** Moves the end of a sanction. @param input its `seconds` may be negative */
  extend(
    { seconds, ...input }: Omit<EntryInput, 'value'> & { readonly seconds: number },
    options?: RequestOptions,
  ): Promise<ModerationRecord> {
    return this.#act('extend', { ...input, value: seconds }, options)
  }

  /** Adds a comment to a record. */
  comment(input: EntryInput, options?: RequestOptions): Promise<ModerationRecord> {
    return this.#act('comment', input, options)
  }

  /** Adds evidence, such as a link, to a record. */
  addEvidence(input: EntryInput, options?: RequestOptions): Promise<ModerationRecord> {
    return this.#act('evidence', input, options)
  }

  /** Marks a record as seen by the player. */
  acknowledge(input: AcknowledgeInput, options?: RequestOptions): Promise<ModerationRecord> {
    return this.#act('acknowledge', input, options)
  }

  /** Takes a record back; its history is kept. */
  revoke(input: RevokeInput, options?: RequestOptions): Promise<ModerationRecord> {
    return this.#act('revoke', input, options)
  }

  /** Permanently removes the reason, evidence and comments of a record. */
  redact(input: RevokeInput, options?: RequestOptions): Promise<ModerationRecord> {
    return this.#act('redact', input, options)
  }

  async #list<Body>(query: Values, options: RequestOptions | undefined): Promise<Body> {
    return (await this.#api.request('get', PATH, { query }, options)) as Body
  }

  async #create(
    action: string | undefined,
    input: Values,
    options: RequestOptions | undefined,
  ): Promise<NewRecord> {
    const body = { ...input, action }
    const result = await this.#api.request('post', PATH, { body }, options)
    const { record, approval } = result as ResultWith<typeof PATH, 'post', 'record'>
    return { ...record, approval: approval ?? null }
  }

  #act(action: string, input: Values, options: RequestOptions | undefined): Promise<ModerationRecord> {
    return this.#api.write(PATH, 'record', { ...input, action }, options)
  }
}
