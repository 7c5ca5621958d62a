import type { DataChange } from '@reeve/db'
import type { Instance } from '../../support/instance.ts'
import { quota } from '../../support/workspace-states.ts'
import { createWorkspaceRequests } from '../workspaces/fixture.ts'
import { banPlayer, createDepartment } from './live-changes.ts'

/** A change, and the resources that show it. */
type ExpectedChange = readonly [() => Promise<unknown>, readonly string[]]

/**
 * One change or more of every kind that is announced. A kind without one does not compile.
 * @param instance one that does not finish jobs before it responds, because they change more
 */
export async function openChangesOfEveryKind(instance: Instance) {
  const workspace = await instance.workspace()
  const { id, key, ownerId, ownerSession: session } = workspace
  const requests = createWorkspaceRequests(instance, workspace)
  const { writeEvent, createRole, assignRoles, setEndpointControl, workspaces } = requests
  const member = await instance.member(id, ['moderation.view'], 5)
  const asker = await instance.member(id, ['moderation.view', 'moderation.ban'], 5, {
    permanentBansNeedApproval: true,
  })
  const game = await instance.key(id, ['appeals.submit'])
  const scheduledFor = new Date(instance.clock.now() + 3_600_000).toISOString()
  const send = async (path: string, body: object, options: object = { session }, method = 'POST') => {
    const response = await instance.request(method, path, { ...options, body: { workspaceId: id, ...body } })
    if (response.status !== 200) throw new Error(`${method} ${path}: ${response.text}`)
    return response.body
  }
  const portal = (path: string, body: object) => send(`/portal/api/${path}`, body)
  const act = async (body: object, options?: object) => (await send('/api/moderation', body, options)).record
  const { id: recordId, appealCode } = await act({ action: 'ban', userId: '900', reason: 'Exploiting' })
  const requestApproval = (userId: string) =>
    act({ action: 'ban', userId, reason: 'Exploiting' }, { session: asker.session })
  const listPending = async () =>
    (await instance.request('GET', `/api/moderation/approvals?workspaceId=${id}&state=pending`, { key })).body
      .approvals
  const decide = async (action: string) => {
    const [{ id: approvalId }] = await listPending()
    await send('/api/moderation/approvals', { id: approvalId, action, reason: 'Seen' })
  }
  const approvalChange = ['inbox', 'moderation']

  const changes: Readonly<Record<DataChange['kind'], readonly ExpectedChange[]>> = {
    record: [[() => banPlayer(instance, workspace), ['moderation']]],
    approval: [
      [() => requestApproval('901'), approvalChange],
      [() => decide('approve'), approvalChange],
      [() => requestApproval('902'), approvalChange],
      [() => decide('reject'), approvalChange],
      [() => requestApproval('903'), approvalChange],
      [() => act({ action: 'unban', userId: '903' }), approvalChange],
    ],
    batch: [
      [
        () => send('/api/moderation/batches', { action: 'note', userIds: '904', reason: 'Seen' }, { key }),
        ['moderation'],
      ],
    ],
    template: [
      [
        () => send('/api/moderation/templates', { name: 'Spam', publicReason: 'You sent spam.' }),
        ['moderation'],
      ],
    ],
    ladder: [
      [
        () =>
          send('/api/moderation/ladders', {
            name: 'Cheating',
            steps: JSON.stringify([{ count: 1, action: 'warn' }]),
          }),
        ['moderation'],
      ],
    ],
    saved_view: [
      [
        () => portal('saved-views', { list: 'records', name: 'Mine', filters: 'severity=high' }),
        ['moderation'],
      ],
    ],
    claim: [[() => portal('claims', { recordId }), ['claims', 'inbox']]],
    assignment: [
      [() => portal('assignments', { recordId, accountId: member.accountId }), ['claims', 'inbox']],
    ],
    mention: [
      [
        () => act({ action: 'comment', id: recordId, value: `See this, <@${member.accountId}>` }),
        ['inbox', 'moderation'],
      ],
    ],
    pinned_note: [[() => portal('pinned-notes', { userId: '900', text: 'Ask Robin' }), ['moderation']]],
    player_link: [
      [
        () =>
          send('/api/moderation/links', {
            userId: '900',
            linkedUserId: '905',
            confidence: 'low',
            reason: 'Same clan',
          }),
        ['moderation'],
      ],
    ],
    appeal: [
      [
        () => send('/api/appeals', { code: appealCode, message: 'It was my brother.' }, { key: game }),
        ['appeals', 'inbox'],
      ],
    ],
    appeal_settings: [
      [() => send('/portal/api/appeals/settings', { cooldownDays: 7 }, { session }, 'PATCH'), ['appeals']],
    ],
    retention: [[() => send('/api/moderation/retention', { noteDays: 400 }), ['moderation']]],
    department: [[() => createDepartment(instance, workspace, 'Public relations'), ['departments']]],
    event: [[() => writeEvent({ title: 'Draft', scheduledFor }), ['events']]],
    role: [
      [
        () => createRole({ name: 'Trainer', rank: '7', permissions: '' }),
        ['invitations', 'members', 'roles'],
      ],
    ],
    member: [
      [
        () => assignRoles(member.accountId, []),
        ['api-keys', 'departments', 'invitations', 'members', 'roles', 'webhooks'],
      ],
    ],
    api_key: [[() => portal('api-keys', { name: 'Game server', permissions: '' }), ['api-keys']]],
    endpoint_control: [
      [() => setEndpointControl('events', 'read_only'), ['endpoint-controls', 'workspaces']],
    ],
    invitation: [[() => portal('invitations', { roleIds: '' }), ['invitations']]],
    webhook: [
      [
        () => send('/api/webhooks', { name: 'Bot', url: 'https://example.com/', events: 'ban.created' }),
        ['webhooks'],
      ],
    ],
    import: [
      [
        async () => {
          const body = { format: 'csv', fileName: 'bans.csv', sizeBytes: 10 }
          const started = await portal('imports', body)
          await portal('imports/cancel', { id: started.import.id })
        },
        ['imports'],
      ],
    ],
    erasure: [
      [
        () =>
          send('/api/moderation/erasures', {
            userId: '905',
            confirmUserId: '905',
            mode: 'erase',
            reason: 'Requested by e-mail',
          }),
        ['erasures'],
      ],
    ],
    workspace: [
      [() => workspaces({ id, groupName: 'Renamed' }), ['archives', 'usage', 'workspaces']],
      [() => quota(instance, id, 1_000_000), ['archives', 'usage', 'workspaces']],
    ],
    workspace_job: [
      [
        async () => {
          await workspaces({ id, archive: true })
          await instance.runJobs()
        },
        ['archives', 'jobs', 'usage', 'workspaces'],
      ],
    ],
  }
  return { id, ownerId, changes }
}
