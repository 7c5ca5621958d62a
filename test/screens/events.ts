import { dataUrl } from '../support/images.ts'
import { pressButton } from '../support/page-actions.ts'
import { drawEvening } from '../support/png.ts'
import type { ScreenContext, ScreenFile } from '../support/screen-states.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** A time relative to today, where the calendar starts. */
const at = (days: number, hour: number): string => {
  const day = new Date(Date.now() + days * DAY)
  day.setUTCHours(hour, 0, 0, 0)
  return day.toISOString()
}

async function prepare({ server, owner, workspaceId }: ScreenContext) {
  const createEvent = async (event: Record<string, string>): Promise<string> => {
    const body = { workspaceId, ...event }
    return (await server.requestOk('POST', '/api/events', { session: owner.session, body })).body.event.id
  }
  const published = 'true'
  trainingId = await createEvent({
    title: 'Cadet training',
    eventType: 'training',
    scheduledFor: at(1, 18),
    trainingStart: at(1, 19),
    trainingEnd: at(1, 21),
    trainingHost: 'Ossian',
    description: 'Bring your uniform, and be there a little early.\n\nNew cadets are welcome.',
    experienceName: 'Training grounds',
    experienceUrl: 'https://games.example/training-grounds',
    experienceId: '4416',
    experiencePlaceId: '261',
    experienceThumbnailUrl: 'https://games.example/training-grounds.png',
    imageDataUrl: dataUrl(drawEvening(640, 360)),
    published,
  })
  await createEvent({ title: 'Staff meeting', eventType: 'meeting', scheduledFor: at(1, 18), published })
  await createEvent({ title: 'Tryouts for the patrol', eventType: 'tryout', scheduledFor: at(1, 20) })
  await createEvent({ title: 'A quiet shift', eventType: 'shift', scheduledFor: at(1, 22), published })
  await createEvent({
    title: 'The night shift begins with a title as long as one may ever be',
    scheduledFor: at(2, 23),
  })
  await createEvent({ title: 'Summer party', scheduledFor: at(9, 17), published })
  await createEvent({ title: 'W'.repeat(100), eventType: 'other', scheduledFor: at(3, 12), published })
  await createEvent({ title: 'مسابقة الليل', scheduledFor: at(4, 15), published })
}

let trainingId = ''

/** The calendar, an event and its form. */
export const screens: ScreenFile = {
  prepare: prepare,
  states: [
    {
      name: 'events-month',
      path: '/w/$/events?view=month',
      heading: 'Events',
      arrange: (page) => page.locator('main').getByRole('table').waitFor(),
    },
    {
      name: 'events-week',
      path: () => `/w/$/events?view=week&on=${at(1, 12).slice(0, 'yyyy-mm-dd'.length)}`,
      heading: 'Events',
      arrange: (page) => page.getByText('Staff meeting').waitFor(),
    },
    {
      name: 'events-agenda',
      path: '/w/$/events?view=agenda',
      heading: 'Events',
      arrange: (page) => page.getByText('Cadet training').waitFor(),
    },
    {
      name: 'events-nothing',
      path: '/w/$/events?view=agenda&type=tryout&on=9000-01-01',
      heading: 'Events',
      arrange: (page) => page.getByText('No upcoming events of type').waitFor(),
    },
    {
      name: 'events-day',
      path: '/w/$/events?view=month',
      heading: 'Events',
      async arrange(page) {
        await page.getByRole('button', { name: /, 4 events$/ }).click({ position: { x: 8, y: 8 } })
        await page.getByRole('dialog').getByText('Tryouts for the patrol').waitFor()
      },
    },
    {
      name: 'event',
      path: () => `/w/$/events?event=${trainingId}`,
      heading: 'Events',
      arrange: (page) => page.getByText('Training grounds').last().waitFor(),
    },
    {
      name: 'event-new',
      path: '/w/$/events',
      heading: 'Events',
      async arrange(page) {
        await pressButton(page, 'New event')
        await page.getByRole('dialog').getByLabel('Title', { exact: true }).fill('Patrol tryouts')
      },
    },
    {
      name: 'event-edit',
      path: () => `/w/$/events?event=${trainingId}`,
      heading: 'Events',
      async arrange(page) {
        await pressButton(page, 'Edit')
        const imageFile = { name: 'evening.png', mimeType: 'image/png', buffer: drawEvening(480, 480) }
        await page.locator('input[type=file]').setInputFiles(imageFile)
        const preview = page.getByRole('img', { name: 'Preview of the cropped image' })
        await preview.waitFor()
        await preview.scrollIntoViewIfNeeded()
      },
    },
    {
      name: 'event-delete',
      path: () => `/w/$/events?event=${trainingId}`,
      heading: 'Events',
      async arrange(page) {
        await pressButton(page, 'Delete')
        await page.getByText('Delete “Cadet training”?').waitFor()
      },
    },
  ],
}
