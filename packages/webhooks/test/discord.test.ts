import { expect, test } from 'bun:test'
import { type WebhookEvent, webhookEventTypes } from '@reeve/core'
import { formatBody } from '../src/dispatch/body.ts'
import { findExample } from '../src/event-examples.ts'
import { formatMessage } from '../src/outbound/discord.ts'

const WORKSPACE_ID = '0198c0de-0000-7000-8000-000000000001'
const PUBLIC_URL = new URL('https://reeve.example.com')

/** What messages say of each resource: the title of those about records, and the description of all others. */
const SUBJECTS: Readonly<Record<string, string | undefined>> = {
  record: 'Builderman',
  ban: 'Builderman',
  appeal: 'Builderman',
  event: 'Cadet training',
  department: 'Public relations',
  member: 'robin',
  role: 'Moderator',
  workspace: 'Night shift',
  api_key: 'Main game server',
  endpoint_control: 'moderation',
  // Several records, or none that is left.
  records: undefined,
}
const ANONYMOUS: readonly WebhookEvent[] = ['record.erased']

test.each([...webhookEventTypes])(
  'a message in Discord about %s names its subject, and not who did it',
  (type) => {
    const [resource = ''] = type.split('.')
    expect(Object.keys(SUBJECTS)).toContain(resource)
    const body = formatBody(type, Date.UTC(2026, 2, 1), {
      workspaceId: WORKSPACE_ID,
      sequence: '42',
      actor: { kind: 'account', id: '0198c0de-0000-7000-8000-000000000010', username: 'Somebody' },
      ...findExample(type, WORKSPACE_ID),
    })
    const [embed] = JSON.parse(formatMessage(body, PUBLIC_URL)).embeds
    const subject = ANONYMOUS.includes(type) ? undefined : SUBJECTS[resource]
    if (embed.fields) expect(embed.title).toContain(subject)
    else expect(embed.description).toBe(subject)
    expect(`${embed.title} ${embed.description}`).not.toMatch(/somebody|undefined –/i)
  },
)

test('a message in Discord about a change says what it changed, and not that it was done again', () => {
  const toTitle = (type: WebhookEvent, action: string): string => {
    const { record } = findExample('record.updated', WORKSPACE_ID) as { record: object }
    const body = formatBody(type, 0, { workspaceId: WORKSPACE_ID, record: { ...record, action } })
    return JSON.parse(formatMessage(body, PUBLIC_URL)).embeds[0].title
  }
  expect([toTitle('record.created', 'warn'), toTitle('record.updated', 'warn')]).toEqual([
    'Warned Builderman',
    'Warning of Builderman updated',
  ])
  expect(toTitle('record.updated', 'note')).toBe('Note on Builderman updated')
})
