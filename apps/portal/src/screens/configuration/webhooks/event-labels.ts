import {
  hasPermission,
  type PermissionHolder,
  TEST_EVENT,
  type WebhookEvent,
  webhookEvents,
  webhookEventTypes,
} from '@reeve/core'

const groupTitles: Readonly<Record<string, string>> = {
  record: 'Cases',
  records: 'Retention rules',
  ban: 'Bans',
  appeal: 'Appeals',
  event: 'Events',
  department: 'Departments',
  member: 'People',
  role: 'Roles',
  workspace: 'Workspace',
  api_key: 'API keys',
  endpoint_control: 'Endpoint controls',
}

interface EventGroup {
  readonly title: string
  readonly types: readonly WebhookEvent[]
}

const getPrefix = (type: string): string => type.split('.')[0] ?? ''

/** The events that webhooks can receive, grouped by what they are about. */
export const eventGroups: readonly EventGroup[] = [...new Set(webhookEventTypes.map(getPrefix))].map(
  (prefix) => ({
    title: groupTitles[prefix] ?? prefix,
    types: webhookEventTypes.filter((type) => getPrefix(type) === prefix),
  }),
)

/** What happened, as a sentence without the final period. */
export const describeEvent = (type: string): string =>
  type === TEST_EVENT
    ? 'A test'
    : (webhookEvents[type as WebhookEvent]?.description ?? type).replace(/\.$/, '')

/** Whether someone may see what an event is about, which choosing it requires. */
export const canViewEvent = (viewer: PermissionHolder, type: WebhookEvent): boolean =>
  hasPermission(viewer, webhookEvents[type].permission)
