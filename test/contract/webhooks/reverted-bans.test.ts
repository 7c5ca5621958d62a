import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { permissions } from '@reeve/core'
import { createWebhookCaller, openDeliveries, takeEvents } from '../../support/deliveries.ts'
import { startDiscord } from '../../support/discord-webhooks.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { type Receiver, startReceiver } from '../../support/webhook-receiver.ts'
import { type BatchFixture, openBatchFixture } from '../moderation/batch-fixture.ts'
import type { Fields } from '../moderation/fixture.ts'

let instance: Instance
let fixture: BatchFixture
let receiver: Receiver
let discord: ReturnType<typeof startDiscord>
let deliveries: ReturnType<typeof openDeliveries>

beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  fixture = await openBatchFixture(instance)
  receiver = startReceiver()
  discord = startDiscord()
  deliveries = openDeliveries(instance, { discordOrigin: discord.origin })
  const { create } = createWebhookCaller(instance, fixture)
  await create(receiver.url, 'ban.created,ban.ended')
  await create(discord.url, 'ban.created,ban.ended,record.created,record.updated,record.ended', 'Channel')
})
afterAll(() => instance.close())
afterEach(() => {
  receiver.stop()
  discord.stop()
  expect(instance.unexpectedErrors).toEqual([])
})

const takeBans = async () =>
  (await takeEvents(deliveries, receiver)).map(({ type, record }) => [type, record.status])
const listTitles = () => discord.messages.map(({ embeds }) => embeds[0].title)

/** A member who does something that is undone afterwards. */
async function openRaider() {
  const { accountId, session } = await instance.member(fixture.id, permissions)
  const since = fixture.timeFromNow(1)
  instance.clock.advance(1)
  const act = (body: Fields) => fixture.actAs(session, body)
  const undo = () => fixture.runBatch({ action: 'undo', actorUserId: accountId, since, reason: 'Raid' })
  return { act, undo }
}

describe('those who follow bans only', () => {
  test('are told that a ban which somebody had lifted is in force again, and that it ends if that is reversed', async () => {
    await fixture.ban('1', { userUsername: 'Builderman' })
    const raider = await openRaider()
    await raider.act({ action: 'unban', userId: '1' })
    expect(await takeBans()).toEqual([
      ['ban.created', 'revoked'],
      ['ban.ended', 'revoked'],
    ])
    const { batch } = await raider.undo()
    expect(await takeBans()).toEqual([['ban.created', 'active']])
    expect(listTitles()).toEqual(['Ban of Builderman revoked', 'Banned Builderman'])
    await fixture.reverse(batch.id)
    expect(await takeBans()).toEqual([['ban.ended', 'revoked']])
    expect(listTitles()).toEqual(['Ban of Builderman revoked', 'Ban of Builderman revoked'])
  })

  test('are told once that a ban ends because its extension is undone after its earlier end', async () => {
    const { id } = await fixture.actOk({ action: 'ban', userId: '1', reason: 'x', durationSeconds: '60' })
    const raider = await openRaider()
    await raider.act({ action: 'extend', id, value: '86400' })
    await takeBans()
    instance.clock.advance(600_000)
    await takeBans()
    await raider.undo()
    expect(await takeBans()).toEqual([['ban.ended', 'expired']])
    instance.clock.advance(600_000)
    expect(await takeBans()).toEqual([])
  })
})
