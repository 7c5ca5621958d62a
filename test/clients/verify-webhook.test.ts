import { describe, expect, test } from 'bun:test'
import { verifyWebhook, WebhookVerificationError } from '@reeve/client'

/** The example of Standard Webhooks: its time has long passed. */
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const BODY = '{"test": 2432232314}'
const SIGNATURE = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
const HEADERS = {
  'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp': '1614265330',
  'webhook-signature': SIGNATURE,
}
const OTHER_SECRET = `whsec_${btoa('another secret of 24 bytes')}`
const anyTime = { tolerance: Number.POSITIVE_INFINITY }

/** Signs with another implementation than the one under test. */
function sign(secret: string, id: string, seconds: number, body: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  return `v1,${new Bun.CryptoHasher('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`
}

const now = () => Math.floor(Date.now() / 1000)
function signed(body: string, seconds = now()) {
  const signature = sign(SECRET, 'msg_1', seconds, body)
  return { 'Webhook-Id': 'msg_1', 'Webhook-Timestamp': String(seconds), 'Webhook-Signature': signature }
}

describe('a webhook is accepted', () => {
  test('if it is the example of Standard Webhooks, from text, bytes and every form of headers', async () => {
    const bytes = new TextEncoder().encode(BODY)
    for (const headers of [HEADERS, new Headers(HEADERS)])
      for (const body of [BODY, bytes, bytes.buffer])
        expect(await verifyWebhook(headers, body, SECRET, anyTime)).toEqual({
          id: HEADERS['webhook-id'],
          test: 2432232314,
        } as never)
  })

  test('with its type, time and data, and non-ASCII text', async () => {
    const event = {
      type: 'ban.created' as const,
      timestamp: '2026-03-01T18:00:00.000Z',
      data: { reason: 'Übeltäter 🛑' },
    }
    const body = JSON.stringify(event)
    expect(await verifyWebhook(signed(body), body, SECRET)).toEqual({ id: 'msg_1', ...event })
  })

  test('during a rotation: with one signature of several, and one secret of several', async () => {
    const other = sign(OTHER_SECRET, HEADERS['webhook-id'], 1614265330, BODY)
    const both = { ...HEADERS, 'webhook-signature': `v1a,AAAA ${other} ${SIGNATURE}` }
    for (const secret of [SECRET, OTHER_SECRET, [OTHER_SECRET, SECRET]])
      expect(await verifyWebhook(both, BODY, secret, anyTime)).toMatchObject({ id: HEADERS['webhook-id'] })
    expect(await verifyWebhook(HEADERS, BODY, [OTHER_SECRET, SECRET], anyTime)).toMatchObject({})
  })
})

describe('a webhook is rejected', () => {
  const reject = (headers: Record<string, string>, body = BODY, secret = SECRET, options: object = anyTime) =>
    expect(verifyWebhook(headers, body, secret, options)).rejects

  test('if anything that was signed has changed', async () => {
    const message = 'No signature matches: check that the secret is that of this webhook.'
    await reject(HEADERS, '{"test": 2432232315}').toThrow(new WebhookVerificationError(message))
    await reject(HEADERS, BODY, OTHER_SECRET).toThrow(message)
    for (const changed of [
      { 'webhook-id': 'msg_other' },
      { 'webhook-timestamp': '1614265331' },
      { 'webhook-signature': 'v1,AAAA' },
      { 'webhook-signature': 'v1,no base64!' },
      { 'webhook-signature': SIGNATURE.replace('v1,', 'v1a,') },
      { 'webhook-signature': SIGNATURE.replace('v1,', '') },
    ])
      await reject({ ...HEADERS, ...changed }).toThrow(message)
  })

  test('if it was sent more than five minutes ago, or later than now', async () => {
    for (const [seconds, message] of [
      [now() - 400, /^The webhook was sent 40\d seconds ago, more than 300: check the clocks\.$/],
      [
        now() + 400,
        /^The webhook was sent (399|400) seconds in the future, more than 300: check the clocks\.$/,
      ],
    ] as const)
      await reject(signed(BODY, seconds), BODY, SECRET, {}).toThrow(message)
    expect(await verifyWebhook(signed(BODY, now() - 290), BODY, SECRET)).toMatchObject({ id: 'msg_1' })
  })

  test('if a header is missing, the time is not one, or the body is not JSON', async () => {
    for (const name of Object.keys(HEADERS))
      await reject({ ...HEADERS, [name]: '' }).toThrow(`The header ${name} is missing.`)
    await reject({ ...HEADERS, 'webhook-timestamp': '1e9' }).toThrow('is not a number of seconds')
    await reject(signed('not JSON'), 'not JSON', SECRET, {}).toThrow('The body is not JSON.')
  })
})

test('a secret that is not one is a mistake in the program, not in the request', async () => {
  for (const secret of ['', 'whsec_', 'whsec_%'])
    await expect(verifyWebhook(HEADERS, BODY, secret, anyTime)).rejects.toThrow(TypeError)
})
