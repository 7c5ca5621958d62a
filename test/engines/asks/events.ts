import { dataUrl, type ImageKind, imageBytes, images } from '../../support/images.ts'
import type { Ask } from '../operation.ts'
import { nameFrom, textFrom } from '../texts.ts'
import type { Asking } from '../world.ts'
import { sharedBy } from './shared.ts'

const types = ['event', 'training', 'shift', 'meeting', 'tryout', 'other']
const statuses = ['draft', 'scheduled', 'live', 'ended']
const addresses = [
  'https://example.com/a.png',
  'https://EXAMPLE.com/Ä b',
  'http://example.com/',
  'x',
  '',
  null,
]

export function eventRead(asking: Asking): Ask {
  const { often, pick, some } = asking.dice
  const { read, id, page, flag, time } = sharedBy(asking)
  if (often(0.06)) return { method: 'GET', path: asking.world.image() }
  if (often(0.2)) return read('/events', { id: id('event') })
  const filters = some({
    from: [0.25, time],
    to: [0.25, time],
    eventType: [0.2, () => pick(types)],
    published: [0.2, flag],
    status: [0.25, () => pick(statuses)],
  })
  return read('/events', { ...filters, ...page() })
}

export function eventWrite(asking: Asking): Ask {
  const { dice } = asking
  const { often, pick, some } = dice
  const { write, read, id, flag, time } = sharedBy(asking)
  const address = () => pick(addresses)
  const image = () =>
    often(0.8) ? dataUrl(imageBytes(pick(Object.keys(images) as ImageKind[]))) : pick(['data:,x', '', null])
  const fields = (share: number) =>
    some({
      title: [share, () => nameFrom(dice)],
      scheduledFor: [share, time],
      description: [share, () => textFrom(dice)],
      published: [0.4, flag],
      eventType: [0.5, () => pick(types)],
      imageDataUrl: [0.08, image],
      imageUrl: [0.08, address],
      image_url: [0.04, address],
      trainingStart: [0.1, time],
      trainingEnd: [0.1, time],
      trainingHost: [0.2, () => nameFrom(dice)],
      experienceName: [0.1, () => nameFrom(dice)],
      experienceUrl: [0.06, address],
    })
  return dice.weighed<() => Ask>([
    [5, () => write('POST', '/events', { ...fields(0.5), title: nameFrom(dice), scheduledFor: time() })],
    [4, () => write('PATCH', '/events', { id: id('event'), ...fields(0.25) })],
    [1, () => write('POST', '/events', { id: id('event'), ...fields(0.25) })],
    [2.5, () => ({ ...read('/events', { id: id('event') }), method: 'DELETE' })],
  ])()
}
