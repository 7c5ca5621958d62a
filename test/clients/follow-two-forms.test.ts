import { expect, test } from 'bun:test'
import { Reeve } from '@reeve/client'
import { startFollowing } from './following.ts'
import { useRobloxFixture } from './roblox-fixture.ts'

const fixture = useRobloxFixture()

const [FIRST, SECOND] = ['76561197960287930', '76561197960287931']

test('of two bans under two forms of an id, a follower and findBan have the one that ends last', async () => {
  for (const permanent of [FIRST, `steam:${SECOND}`])
    await fixture.moderate('ban', permanent, { reason: 'Permanent' })
  for (const short of [`steam:${FIRST}`, SECOND])
    await fixture.moderate('ban', short, { reason: 'Short', durationSeconds: '3600' })
  await fixture.setPlatform('steam')
  const { server, key, workspaceId } = fixture
  const reeve = new Reeve({ url: server.origin, key, workspaceId })
  const { follower } = startFollowing(reeve)
  await follower.ready
  for (const id of [FIRST, SECOND]) {
    expect(follower.find('ban', id)).toMatchObject({ reason: 'Permanent', expiresAt: null })
    expect(await reeve.moderation.findBan(id)).toMatchObject({ reason: 'Permanent', expiresAt: null })
  }
  follower.stop()
})
