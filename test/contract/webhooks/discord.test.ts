import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { deleteOldDeliveries } from '@reeve/webhooks'
import { createWebhookCaller, openDeliveries } from '../../support/deliveries.ts'
import { startDiscord } from '../../support/discord-webhooks.ts'
import { type Instance, openInstance, PUBLIC_URL } from '../../support/instance.ts'

let instance: Instance
let discord: ReturnType<typeof startDiscord>
let deliveries: ReturnType<typeof openDeliveries>
let workspace: { id: string } & ReturnType<typeof createWebhookCaller>
let webhookId: string

beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  discord = startDiscord()
  deliveries = openDeliveries(instance, { discordOrigin: discord.origin })
  const opened = await instance.workspace()
  workspace = { id: opened.id, ...createWebhookCaller(instance, opened) }
  const created = await workspace.create(discord.url, 'ban.created,ban.ended,record.created,record.ended')
  webhookId = created.webhook.id
  expect(created).toMatchObject({ secret: null, webhook: { kind: 'discord' } })
  expect(JSON.stringify(created)).not.toContain(discord.token)
})
afterAll(() => instance.close())
afterEach(() => {
  discord.stop()
  expect(instance.unexpectedErrors).toEqual([])
})

describe('a channel in Discord', () => {
  test('gets one message about a ban, which is edited when the ban ends', async () => {
    const ban = await workspace.moderate({
      action: 'ban',
      userId: '261',
      userUsername: 'Builderman',
      reason: '@everyone **free** [robux](https://evil.example)',
      durationSeconds: '86400',
    })
    await deliveries.sendAllDue()
    const [message] = discord.messages
    expect(discord.messages).toHaveLength(1)
    expect(message?.allowed_mentions).toEqual({ parse: [] })
    const embed = message?.embeds[0]
    expect(embed).toMatchObject({
      title: 'Banned Builderman',
      url: `${PUBLIC_URL}/w/${workspace.id}/moderation/cases/${ban.id}`,
    })
    const fields = Object.fromEntries(embed.fields.map(({ name, value }: never) => [name, value]))
    expect(fields).toMatchObject({
      Player: 'Builderman \\(261\\)',
      Reason: '\\@everyone \\*\\*free\\*\\* \\[robux\\]\\(https://evil.example\\)',
      Until: `<t:${Math.floor(Date.parse(ban.expiresAt) / 1000)}:f>`,
    })
    await workspace.moderate({
      action: 'unban',
      userId: '261',
      reason: 'Appeal',
      actorUsername: 'clockwork',
    })
    await deliveries.sendAllDue()
    expect(discord.messages).toHaveLength(1)
    expect(discord.messages[0]?.embeds[0]).toMatchObject({
      title: 'Ban of Builderman revoked',
      fields: expect.arrayContaining([{ name: 'Moderator', value: 'clockwork', inline: true }]),
    })
    expect(discord.edits).toBe(1)
  })

  test('gets a new message if somebody has deleted the one to edit', async () => {
    await workspace.moderate({ action: 'ban', userId: '261', reason: 'Exploiting' })
    await deliveries.sendAllDue()
    discord.messages.length = 0
    await workspace.moderate({ action: 'unban', userId: '261' })
    await deliveries.sendAllDue()
    expect(discord.messages).toHaveLength(1)
  })

  test('gets a new message if the ban ends after the delivery of the first has been deleted', async () => {
    await workspace.moderate({ action: 'ban', userId: '261', reason: 'Exploiting' })
    await deliveries.sendAllDue()
    instance.clock.advance(31 * 86_400_000)
    await deleteOldDeliveries(instance.db, instance.ports)
    await workspace.moderate({ action: 'unban', userId: '261' })
    await deliveries.sendAllDue()
    const titles = discord.messages.map(({ embeds }) => embeds[0].title)
    expect(titles).toEqual(['Banned 261', 'Ban of 261 revoked'])
  })

  test.each([1, 2])('says that a ban was lifted, also if the first requests fail: %p', async (failures) => {
    discord.failNext(failures)
    await workspace.moderate({
      action: 'ban',
      userId: '261',
      userUsername: 'Builderman',
      reason: 'Exploiting',
    })
    await deliveries.sendAllDue()
    await workspace.moderate({ action: 'unban', userId: '261', reason: 'Wrong player' })
    await deliveries.sendAllDue()
    const sent = await workspace.deliveries(webhookId)
    expect(sent.map(({ type }: { type: string }) => type).sort()).toEqual(['ban.created', 'ban.ended'])
    for (let attempt = 0; attempt < 3; attempt++) {
      instance.clock.advance(600_000)
      await deliveries.sendAllDue()
    }
    expect(discord.messages.map(({ embeds }) => embeds[0].title)).toEqual(['Ban of Builderman revoked'])
    // Somebody who misses the message in the channel sends the event again.
    const created = sent.find(({ type }: { type: string }) => type === 'ban.created')
    discord.messages.length = 0
    await workspace.call('POST', 'webhooks/resend', { id: webhookId, deliveryId: created.id })
    await deliveries.sendAllDue()
    expect(discord.messages.map(({ embeds }) => embeds[0].title)).toEqual(['Ban of Builderman revoked'])
  })

  test('is not sent to before its rate limit allows it', async () => {
    discord.limit({ remaining: 1, resetAfterMs: 2000 })
    for (const userId of ['1', '2', '3'])
      await workspace.moderate({ action: 'warn', userId, reason: 'Language' })
    await deliveries.sendAllDue()
    expect([discord.messages.length, discord.rejected]).toEqual([1, 0])
    instance.clock.advance(2500)
    await deliveries.sendAllDue()
    expect([discord.messages.length, discord.rejected]).toEqual([2, 0])
    // Another program has used up the limit of the channel.
    instance.clock.advance(2500)
    discord.limit({ remaining: 0, resetAfterMs: 1500 })
    await deliveries.sendAllDue()
    expect([discord.messages.length, discord.rejected]).toEqual([2, 1])
    discord.limit(null)
    instance.clock.advance(1000)
    await deliveries.sendAllDue()
    expect(discord.rejected).toBe(1)
    instance.clock.advance(6000)
    await deliveries.sendAllDue()
    expect([discord.messages.length, discord.rejected]).toEqual([3, 1])
  })

  test('that no longer exists is never asked again', async () => {
    discord.remove()
    await workspace.moderate({ action: 'ban', userId: '261', reason: 'Exploiting' })
    await deliveries.sendAllDue()
    expect(await workspace.read(webhookId)).toMatchObject({ state: 'disabled', stateReason: 'removed' })
    const { requests } = discord
    await workspace.moderate({ action: 'ban', userId: '262', reason: 'Exploiting' })
    instance.clock.advance(3_600_000)
    await deliveries.sendAllDue()
    expect(discord.requests).toBe(requests)
    await expect(workspace.call('PATCH', 'webhooks', { id: webhookId, action: 'resume' })).rejects.toThrow(
      'Create a new one',
    )
    const [row] = await instance.storage.query<{ secret: unknown }>(
      "select secret from webhook where state_reason = 'removed'",
    )
    expect(row?.secret).toBeNull()
  })
})
