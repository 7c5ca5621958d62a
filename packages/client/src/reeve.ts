import type { Client } from 'openapi-fetch'
import { Api } from './api.ts'
import { type CheckOptions, type CheckResult, createCheck } from './check.ts'
import { Follower, type FollowOptions } from './follow/follower.ts'
import type { paths } from './generated/openapi.ts'
import type { UserId } from './input.ts'
import { type ReeveOptions, readSettings } from './options.ts'
import { Appeals } from './resources/appeals.ts'
import { Approvals } from './resources/approvals.ts'
import { Batches } from './resources/batches.ts'
import { Changes } from './resources/changes.ts'
import { Departments } from './resources/departments.ts'
import { EndpointControls } from './resources/endpoint-controls.ts'
import { Erasures } from './resources/erasures.ts'
import { Events } from './resources/events.ts'
import { Insights } from './resources/insights.ts'
import { Ladders } from './resources/ladders.ts'
import { Links } from './resources/links.ts'
import { Moderation } from './resources/moderation.ts'
import { Retention } from './resources/retention.ts'
import { Roles } from './resources/roles.ts'
import { Templates } from './resources/templates.ts'
import { Webhooks } from './resources/webhooks.ts'
import { Workspaces } from './resources/workspaces.ts'

/**
 * A client for an instance of Reeve. Requests that fail without a final error are sent again, writes with one idempotency key for all
 * attempts.
 * @example
 * const reeve = new Reeve({ url: 'https://reeve.example.com', key: 'rve_…', workspaceId: '…' })
 * await reeve.moderation.ban({ userId: 261, reason: 'Exploiting' })
 */
export class Reeve {
  readonly #api: Api
  readonly moderation: Moderation
  readonly templates: Templates
  readonly ladders: Ladders
  readonly retention: Retention
  readonly links: Links
  readonly erasures: Erasures
  readonly approvals: Approvals
  readonly batches: Batches
  readonly insights: Insights
  readonly appeals: Appeals
  readonly departments: Departments
  readonly workspaces: Workspaces
  readonly roles: Roles
  readonly endpointControls: EndpointControls
  readonly events: Events
  readonly changes: Changes
  readonly webhooks: Webhooks
  readonly #check: ReturnType<typeof createCheck>

  /** @throws TypeError that names the option which is missing or invalid */
  constructor(options: ReeveOptions) {
    const api = new Api(readSettings(options))
    this.#api = api
    this.moderation = new Moderation(api)
    this.templates = new Templates(api)
    this.ladders = new Ladders(api)
    this.retention = new Retention(api)
    this.links = new Links(api)
    this.erasures = new Erasures(api)
    this.approvals = new Approvals(api)
    this.batches = new Batches(api)
    this.insights = new Insights(api)
    this.appeals = new Appeals(api)
    this.departments = new Departments(api)
    this.workspaces = new Workspaces(api)
    this.roles = new Roles(api)
    this.endpointControls = new EndpointControls(api)
    this.events = new Events(api)
    this.changes = new Changes(api)
    this.webhooks = new Webhooks(api)
    this.#check = createCheck(api)
  }

  /**
   * Checks players, for example all of a game server. Repeat it for the same players as often as you like: the client then asks only
   * whether anything has changed.
   * @returns the bans and mutes in force of these players; those without one are not listed
   */
  check(userIds: Iterable<UserId>, options?: CheckOptions): Promise<CheckResult> {
    return this.#check(userIds, options)
  }

  /**
   * Keeps an in-memory copy of the bans and mutes in force up to date, so that `isBanned` needs no request. It reconnects by itself.
   * @example
   * const follower = reeve.follow({ onChange: ({ op, kind, userId }) => console.log(op, kind, userId) })
   * await follower.ready
   * if (follower.isBanned(261)) …
   */
  follow(options: FollowOptions = {}): Follower {
    return new Follower(this.changes, this.#api.timeout, options)
  }

  /**
   * Every operation by its path, typed from the OpenAPI document, with retries and the errors of this package. Fields are sent as
   * they are, and `workspaceId` is not added.
   * @example const { data } = await reeve.http.GET('/api/departments', { params: { query: { workspaceId } } })
   */
  get http(): Client<paths> {
    return this.#api.client
  }
}
