import { expect } from 'bun:test'
import type { Permission } from '@reeve/core'
import fc from 'fast-check'
import { openModerationFixture } from '../contract/moderation/fixture.ts'
import type { Instance } from '../support/instance.ts'
import type { Property } from './property.ts'

const PEOPLE = ['robin', 'sam'] as const
type Person = (typeof PEOPLE)[number]

/** How somebody acts: signed in, or with an API key of theirs, which can name a player for whom it acts. */
const way = fc.record({
  person: fc.constantFrom(...PEOPLE),
  withKey: fc.boolean(),
  names: fc.option(fc.constantFrom(...PEOPLE)),
})
type Way = typeof way extends fc.Arbitrary<infer Value> ? Value : never

const choice = fc.record({ kind: fc.constantFrom('approval', 'appeal'), imposes: way, decides: way })

const PERMISSIONS: readonly Permission[] = [
  'moderation.view',
  'moderation.ban',
  'moderation.unban',
  'moderation.approve',
  'appeals.view',
  'appeals.decide',
  'api_keys.manage',
]
const PLAYERS: Readonly<Record<Person, string>> = { robin: '901', sam: '902' }

/** Two members, their API keys and players. */
async function openPeople(instance: Instance) {
  const fixture = await openModerationFixture(instance)
  const owner = { session: fixture.ownerSession }
  const sessions: Partial<Record<Person, string>> = {}
  const keys: Partial<Record<Person, string>> = {}
  for (const name of PEOPLE) {
    const { accountId, session } = await instance.member(fixture.id, PERMISSIONS, 10, {
      permanentBansNeedApproval: true,
    })
    const created = await instance.request('POST', '/portal/api/api-keys', {
      session,
      body: { workspaceId: fixture.id, name, permissions: PERMISSIONS.slice(0, 4).join() },
    })
    sessions[name] = session
    keys[name] = created.body.secret
    await instance.request('PATCH', '/portal/api/members/players', {
      ...owner,
      body: { workspaceId: fixture.id, accountId, userIds: PLAYERS[name] },
    })
  }
  const send = (path: string, { person, withKey, names }: Way, body: object) =>
    instance.request('POST', path, {
      ...(withKey ? { key: String(keys[person]) } : { session: String(sessions[person]) }),
      body: {
        workspaceId: fixture.id,
        ...body,
        ...(withKey && names && { actorPlatformUserId: PLAYERS[names] }),
      },
    })
  return { ...fixture, send }
}

/** Who is responsible for what somebody does: the person, and whom their key names. */
const listResponsible = ({ person, withKey, names }: Way): Person[] =>
  withKey && names !== null ? [person, names] : [person]

/** Whose ban it is: a key that names somebody acts for them, and not for its creator. */
const findBanner = ({ person, withKey, names }: Way): Person => (withKey && names !== null ? names : person)

/** Nobody approves a ban that they have requested, or decides the appeal of a ban that they have imposed. */
export const ownDecisions: Property = {
  name: 'nobody approves or decides their own',
  async check(instance, parameters) {
    const counts = { decided: 0, refused: 0 }
    await fc.assert(
      fc.asyncProperty(choice, async ({ kind, imposes, decides }) => {
        const { send, id } = await openPeople(instance)
        const isApproval = kind === 'approval'
        const banned = await send('/api/moderation', imposes, {
          action: 'ban',
          userId: '1',
          reason: 'x',
          ...(!isApproval && { durationSeconds: '3600' }),
        })
        expect(banned.status, banned.text).toBe(200)
        let isOwn: boolean
        let status: number
        if (isApproval) {
          isOwn = listResponsible(imposes).some((person) => listResponsible(decides).includes(person))
          const decision = { id: banned.body.approval.id, action: 'approve' }
          status = (await send('/api/moderation/approvals', decides, decision)).status
        } else {
          isOwn = findBanner(imposes) === decides.person
          const game = await instance.key(id, ['appeals.submit'])
          const body = { workspaceId: id, code: banned.body.record.appealCode, message: 'Please' }
          const { appeal } = (await instance.request('POST', '/api/appeals', { key: game, body })).body
          const decider = { ...decides, withKey: false }
          const decision = { id: appeal.id, decision: 'accepted' }
          status = (await send('/portal/api/appeals/decide', decider, decision)).status
        }
        expect(status).toBe(isOwn ? 403 : 200)
        counts[isOwn ? 'refused' : 'decided'] += 1
      }),
      parameters,
    )
    return counts
  },
}
