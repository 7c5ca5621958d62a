import { describe, expect, test } from 'bun:test'
import { getPause, getRetryDelay, parseRetryAfter } from '../src/deliveries/limits.ts'
import { formatBody, MAX_BODY_BYTES } from '../src/dispatch/body.ts'
import { createSignatureHeaders } from '../src/outbound/signature.ts'

describe('a signature', () => {
  // The example of the specification.
  const message = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1614265330,
    body: '{"test": 2432232314}',
  }
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

  test('is that of the Standard Webhooks example', () => {
    expect(createSignatureHeaders(message, [secret])).toEqual({
      'webhook-id': message.id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    })
  })

  test('of each secret is sent during a rotation, separated by a space', () => {
    const headers = createSignatureHeaders(message, ['whsec_AAAA', secret])
    const [first, second] = headers['webhook-signature'].split(' ')
    expect([first?.slice(0, 3), second]).toEqual(['v1,', 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='])
  })
})

describe('retries', () => {
  test('follow the schedule of the specification, 20 % earlier or later', () => {
    const minutes = (random: number) =>
      Array.from({ length: 10 }, (_, index) => getRetryDelay(index + 1, random)).map((ms) =>
        ms === null ? null : ms / 60_000,
      )
    expect(minutes(0.5)).toEqual([5 / 60, 5, 30, 120, 300, 600, 840, 1200, 1440, null])
    expect(minutes(0)).toEqual([4 / 60, 4, 24, 96, 240, 480, 672, 960, 1152, null])
    expect(minutes(1)[8]).toBe(1728)
  })

  test('slow down for a receiver that keeps failing, up to five minutes', () => {
    expect([0, 1, 4, 5, 6, 7, 50].map(getPause)).toEqual([0, 0, 0, 5000, 10_000, 20_000, 300_000])
  })

  test('wait as long as Retry-After says, in seconds or as a date, at most a day', () => {
    const now = Date.UTC(2026, 0, 1)
    const date = new Date(now + 90_000).toUTCString()
    expect(
      [null, '', '7', '0.5', date, '999999999', 'soon', '-3'].map((value) => parseRetryAfter(value, now)),
    ).toEqual([null, null, 7000, 500, 90_000, 86_400_000, null, 0])
  })
})

test('a body stays below 20 KB: longer texts are shortened', () => {
  const description = '"\n'.repeat(6000)
  const body = formatBody('event.published', 0, {
    workspaceId: 'w',
    event: { title: 'Training', description },
  })
  expect(Buffer.byteLength(body)).toBeLessThan(MAX_BODY_BYTES)
  const { data } = JSON.parse(body)
  expect([data.workspaceId, data.event.title]).toEqual(['w', 'Training'])
  expect(data.event.description).toEndWith('… (shortened)')
})
