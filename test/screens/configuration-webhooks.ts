import type { Page } from 'playwright-core'
import { chooseMenuItem, fillIn, pressButton } from '../support/page-actions.ts'
import type { ScreenContext, ScreenFile } from '../support/screen-states.ts'
import { startReceiver } from '../support/webhook-receiver.ts'

const DISCORD_URL = `https://discord.com/api/webhooks/123456789012345678/${'t'.repeat(68)}`

/** Ids of the webhooks by name. */
const webhookIds = new Map<string, string>()

const pathOf = (name: string) => () => `/w/$/configuration/webhooks/${webhookIds.get(name)}`

/** Webhooks in every state, with deliveries. */
async function prepare({ server, owner: { session }, workspaceId }: ScreenContext): Promise<void> {
  const post = async (path: string, body: object) =>
    (await server.requestOk('POST', path, { session, body: { workspaceId, ...body } })).body
  const create = async (name: string, url: string, events: string) => {
    const { webhook } = await post('/api/webhooks', { name, url, events })
    webhookIds.set(name, webhook.id)
    return webhook.id as string
  }
  const [working, failing] = [startReceiver(), startReceiver()]
  failing.respondWith(() => new Response('{"error":"The database is down"}', { status: 503 }))
  const main = await create('Night Owls website', working.url, 'ban.created,ban.ended,record.created')
  await create('Bot', failing.url, 'department.deleted')
  await create('غرفة السجل '.repeat(8).trim(), DISCORD_URL, 'workspace.archived')
  const paused = await create('Old website', working.url, 'event.published')
  await post('/api/webhooks', { id: paused, action: 'pause' })
  await post('/api/moderation', {
    action: 'ban',
    userId: '9261',
    userUsername: 'Shedletsky',
    reason: 'Exploiting',
  })
  const { department } = await post('/api/departments', { name: 'Short-lived' })
  await post('/api/departments', { action: 'delete', id: department.id })
  await post('/api/webhooks/test', { id: main })
  await Promise.all([working.waitFor(3), failing.waitFor(1)])
}

const waitForText = (page: Page, text: string) => page.getByText(text).first().waitFor()

async function openForm(page: Page): Promise<void> {
  await pressButton(page, 'New webhook')
  await page.getByRole('dialog', { name: 'New webhook' }).waitFor()
}

const LIST = { path: '/w/$/configuration/webhooks', heading: 'Webhooks' } as const
const MAIN = { path: pathOf('Night Owls website'), heading: 'Night Owls website' } as const

/** Webhooks: the list, one of them, and their dialogs. */
export const screens: ScreenFile = {
  prepare,
  states: [
    { name: 'webhooks', ...LIST, arrange: (page) => waitForText(page, 'Failing since') },
    {
      name: 'webhooks-new',
      ...LIST,
      async arrange(page) {
        await openForm(page)
        await waitForText(page, '"ban.created"')
      },
    },
    {
      name: 'webhooks-new-discord',
      ...LIST,
      async arrange(page) {
        await openForm(page)
        await page.getByText('A Discord channel', { exact: true }).click()
        await page.getByRole('region', { name: 'Message in Discord' }).scrollIntoViewIfNeeded()
      },
    },
    {
      name: 'webhooks-new-refused',
      ...LIST,
      allowedErrors: /status of 400/,
      async arrange(page) {
        await openForm(page)
        await fillIn(page, { URL: 'ftp://example.com' })
        await pressButton(page, 'Create webhook')
        await waitForText(page, 'Name is required.')
      },
    },
    {
      name: 'webhooks-secret',
      ...LIST,
      async arrange(page) {
        await openForm(page)
        await fillIn(page, { Name: 'Backup receiver', URL: 'https://example.com/reeve' })
        await pressButton(page, 'Select none')
        await page.getByLabel('endpoint_control.updated').check()
        await pressButton(page, 'Create webhook')
        await waitForText(page, 'Copy the secret now.')
      },
    },
    { name: 'webhook', ...MAIN, arrange: (page) => page.getByRole('list', { name: 'Deliveries' }).waitFor() },
    {
      name: 'webhook-delivery',
      ...MAIN,
      async arrange(page) {
        await page.getByRole('button', { name: 'Details of ban.created' }).first().click()
        await page.getByRole('group', { name: 'Request body' }).waitFor()
      },
    },
    {
      name: 'webhook-test',
      ...MAIN,
      async arrange(page) {
        await pressButton(page, 'Send a test')
        await waitForText(page, 'The receiver accepted it')
      },
    },
    {
      name: 'webhook-rotate',
      ...MAIN,
      async arrange(page) {
        await chooseMenuItem(page, 'Change Night Owls website', 'Rotate secret')
        await page.getByRole('dialog', { name: /^Rotate the secret/ }).waitFor()
      },
    },
    {
      name: 'webhook-resend',
      ...MAIN,
      async arrange(page) {
        await chooseMenuItem(page, 'Change Night Owls website', 'Resend since')
        await page.getByRole('dialog', { name: /^Resend to/ }).waitFor()
      },
    },
    {
      name: 'webhook-failing',
      path: pathOf('Bot'),
      heading: 'Bot',
      arrange: (page) =>
        page.getByRole('list', { name: 'Deliveries' }).getByText('Retrying').first().waitFor(),
    },
    {
      name: 'webhook-paused',
      path: pathOf('Old website'),
      heading: 'Old website',
      arrange: (page) => waitForText(page, 'No deliveries yet'),
    },
  ],
}
