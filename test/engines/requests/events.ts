import { dataUrl, type ImageKind, imageBytes, images } from '../../support/images.ts'
import type { GeneratorContext } from '../known-state.ts'
import type { RequestTemplate } from '../operation.ts'
import { pickName, pickText } from '../texts.ts'
import { createRequestBuilder } from './request-builder.ts'

const types = ['event', 'training', 'shift', 'meeting', 'tryout', 'other']
const statuses = ['draft', 'scheduled', 'live', 'ended']
const urls = ['https://example.com/a.png', 'https://EXAMPLE.com/Ä b', 'http://example.com/', 'x', '', null]

export function generateEventRead(context: GeneratorContext): RequestTemplate {
  const { chance, pick, pickFields } = context.random
  const { read, pickId, pickPageFields, pickFlag, pickTime } = createRequestBuilder(context)
  if (chance(0.06)) return { method: 'GET', path: context.state.image() }
  if (chance(0.2)) return read('/events', { id: pickId('event') })
  const filters = pickFields({
    from: [0.25, pickTime],
    to: [0.25, pickTime],
    endsAfter: [0.15, pickTime],
    eventType: [0.2, () => pick(types)],
    published: [0.2, pickFlag],
    status: [0.25, () => pick(statuses)],
  })
  return read('/events', { ...filters, ...pickPageFields() })
}

export function generateEventWrite(context: GeneratorContext): RequestTemplate {
  const { random } = context
  const { chance, pick, pickFields } = random
  const { write, read, pickId, pickFlag, pickTime } = createRequestBuilder(context)
  const pickUrl = () => pick(urls)
  const pickImage = () =>
    chance(0.8) ? dataUrl(imageBytes(pick(Object.keys(images) as ImageKind[]))) : pick(['data:,x', '', null])
  const pickEventFields = (probability: number) =>
    pickFields({
      title: [probability, () => pickName(random)],
      scheduledFor: [probability, pickTime],
      description: [probability, () => pickText(random)],
      published: [0.4, pickFlag],
      eventType: [0.5, () => pick(types)],
      imageDataUrl: [0.08, pickImage],
      imageUrl: [0.08, pickUrl],
      image_url: [0.04, pickUrl],
      trainingStart: [0.1, pickTime],
      trainingEnd: [0.1, pickTime],
      endsAt: [0.1, pickTime],
      trainingHost: [0.2, () => pickName(random)],
      experienceName: [0.1, () => pickName(random)],
      experienceUrl: [0.06, pickUrl],
    })
  return random.pickWeighted<() => RequestTemplate>([
    [
      5,
      () =>
        write('POST', '/events', {
          ...pickEventFields(0.5),
          title: pickName(random),
          scheduledFor: pickTime(),
        }),
    ],
    [4, () => write('PATCH', '/events', { id: pickId('event'), ...pickEventFields(0.25) })],
    [1, () => write('POST', '/events', { id: pickId('event'), ...pickEventFields(0.25) })],
    [2.5, () => ({ ...read('/events', { id: pickId('event') }), method: 'DELETE' })],
  ])()
}
