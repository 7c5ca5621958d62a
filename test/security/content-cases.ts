import type { ServiceCase } from './service-case.ts'

const CHANGE = 'events/src/change.ts'
const SANCTION = 'moderation/src/records/sanction.ts'

const TEMPLATE = 'moderation/src/templates/resolve.ts'

const DAY = '86400'
const HOUR = '3600'

/** What `docs/api.md` says about events and moderation beyond the permission of the route. */
export const contentCases: readonly ServiceCase[] = [
  {
    name: 'create a published event',
    reaches: [CHANGE],
    requires: ['events.manage', 'events.publish'],
    prepare: async ({ send }) =>
      send('POST', '/api/events', { title: 'Open day', scheduledFor: '1803924000000', published: 'true' }),
  },
  {
    name: 'publish a draft',
    reaches: [CHANGE],
    requires: ['events.manage', 'events.publish'],
    prepare: async ({ send, createEvent }) =>
      send('PATCH', '/api/events', { id: await createEvent(), published: 'true' }),
  },
  {
    name: 'unpublish an event',
    reaches: [CHANGE],
    requires: ['events.manage', 'events.publish'],
    prepare: async ({ send, createEvent }) =>
      send('PATCH', '/api/events', { id: await createEvent({ published: 'true' }), published: 'false' }),
  },
  {
    name: 'revoke a ban in force',
    reaches: [SANCTION],
    requires: ['moderation.revoke', 'moderation.unban'],
    prepare: async ({ send, createRecord }) =>
      send('POST', '/api/moderation', { action: 'revoke', id: await createRecord('ban'), reason: 'Mistake' }),
  },
  {
    name: 'revoke a mute in force',
    reaches: [SANCTION],
    requires: ['moderation.revoke', 'moderation.mute'],
    prepare: async ({ send, createRecord }) =>
      send('POST', '/api/moderation', {
        action: 'revoke',
        id: await createRecord('mute'),
        reason: 'Mistake',
      }),
  },
  {
    name: 'extend a ban',
    reaches: [SANCTION],
    requires: ['moderation.edit', 'moderation.ban'],
    prepare: async ({ send, createRecord }) => {
      const id = await createRecord('ban', { durationSeconds: DAY })
      return send('POST', '/api/moderation', { action: 'extend', id, value: HOUR })
    },
  },
  {
    name: 'shorten a ban',
    reaches: [SANCTION],
    requires: ['moderation.edit', 'moderation.unban'],
    prepare: async ({ send, createRecord }) => {
      const id = await createRecord('ban', { durationSeconds: DAY })
      return send('POST', '/api/moderation', { action: 'extend', id, value: `-${HOUR}` })
    },
  },
  {
    name: 'make a mute permanent by editing it',
    reaches: [SANCTION],
    requires: ['moderation.edit', 'moderation.mute'],
    prepare: async ({ send, createRecord }) => {
      const id = await createRecord('mute', { durationSeconds: DAY })
      return send('POST', '/api/moderation', { action: 'edit', id, durationSeconds: 'permanent' })
    },
  },
  {
    name: 'replace a permanent ban by a shorter one',
    reaches: [SANCTION],
    requires: ['moderation.ban', 'moderation.unban'],
    prepare: async ({ send, createRecord }) => {
      await createRecord('ban')
      const fields = { action: 'ban', userId: '261', reason: 'Shorter', durationSeconds: HOUR }
      return send('POST', '/api/moderation', fields)
    },
  },
  {
    name: 'let a ladder decide the action',
    reaches: [TEMPLATE],
    requires: ['moderation.view', 'moderation.warn'],
    prepare: async ({ send, create }) =>
      send('POST', '/api/moderation', { userId: '261', templateId: await createTemplate(create) }),
  },
  {
    name: 'choose more than the ladder',
    reaches: [TEMPLATE],
    requires: ['moderation.ban', 'moderation.override'],
    prepare: async ({ send, create }) => {
      const templateId = await createTemplate(create)
      return send('POST', '/api/moderation', { action: 'ban', userId: '261', templateId })
    },
  },
  {
    name: "change another person's shared view",
    reaches: ['moderation/src/saved-views/service.ts'],
    requires: ['moderation.view', 'workspace.rename'],
    prepare: async ({ send, create }) => {
      const { savedView } = await create('POST', '/portal/api/saved-views', VIEW)
      return send('PATCH', '/portal/api/saved-views', { id: savedView.id, name: 'Renamed' })
    },
  },
  {
    name: "delete another person's shared view",
    reaches: ['moderation/src/saved-views/service.ts'],
    requires: ['moderation.view', 'workspace.rename'],
    prepare: async ({ send, create }) => {
      const { savedView } = await create('POST', '/portal/api/saved-views', VIEW)
      return send('DELETE', '/portal/api/saved-views', { id: savedView.id })
    },
  },
]

/** Creates a template whose ladder decides a warning. @returns its id */
async function createTemplate(create: Parameters<ServiceCase['prepare']>[0]['create']): Promise<string> {
  const steps = '[{"count":"1","action":"warn"}]'
  const { ladder } = await create('POST', '/api/moderation/ladders', { name: 'Chat', steps })
  const fields = { name: 'Spamming', publicReason: 'Spam', ladderId: ladder.id }
  return (await create('POST', '/api/moderation/templates', fields)).template.id
}

const VIEW = { list: 'bans', name: 'Bans', filters: 'status=active', shared: 'true' }
