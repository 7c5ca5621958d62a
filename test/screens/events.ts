import { evening } from '../support/drawing.ts'
import { dataUrl } from '../support/images.ts'
import { press } from '../support/portal.ts'
import type { Scene, Screens } from '../support/scene.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** A moment around the present: the screens begin at today. */
const at = (days: number, hour: number): string => {
  const day = new Date(Date.now() + days * DAY)
  day.setUTCHours(hour, 0, 0, 0)
  return day.toISOString()
}

async function plan({ place, owner, workspaceId }: Scene) {
  const add = async (event: Record<string, string>): Promise<string> => {
    const body = { workspaceId, ...event }
    return (await place.must('POST', '/api/events', { session: owner.session, body })).body.event.id
  }
  const published = 'true'
  trainingId = await add({
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
    imageDataUrl: dataUrl(evening(640, 360)),
    published,
  })
  await add({ title: 'Staff meeting', eventType: 'meeting', scheduledFor: at(1, 18), published })
  await add({ title: 'Tryouts for the patrol', eventType: 'tryout', scheduledFor: at(1, 20) })
  await add({ title: 'A quiet shift', eventType: 'shift', scheduledFor: at(1, 22), published })
  await add({
    title: 'The night shift begins with a title as long as one may ever be',
    scheduledFor: at(2, 23),
  })
  await add({ title: 'Summer party', scheduledFor: at(9, 17), published })
  await add({ title: 'W'.repeat(100), eventType: 'other', scheduledFor: at(3, 12), published })
  await add({ title: 'مسابقة الليل', scheduledFor: at(4, 15), published })
}

let trainingId = ''

/** The calendar, an event, and the form. */
export const screens: Screens = {
  prepare: plan,
  looks: [
    {
      name: 'events-month',
      at: '/w/$/events?view=month',
      heading: 'Events',
      reach: (page) => page.locator('main').getByRole('table').waitFor(),
    },
    {
      name: 'events-week',
      at: () => `/w/$/events?view=week&on=${at(1, 12).slice(0, 'yyyy-mm-dd'.length)}`,
      heading: 'Events',
      reach: (page) => page.getByText('Staff meeting').waitFor(),
    },
    {
      name: 'events-agenda',
      at: '/w/$/events?view=agenda',
      heading: 'Events',
      reach: (page) => page.getByText('Cadet training').waitFor(),
    },
    {
      name: 'events-nothing',
      at: '/w/$/events?view=agenda&type=tryout&on=9000-01-01',
      heading: 'Events',
      reach: (page) => page.getByText('No event of the type').waitFor(),
    },
    {
      name: 'events-day',
      at: '/w/$/events?view=month',
      heading: 'Events',
      async reach(page) {
        await page.getByRole('button', { name: /, 4 events$/ }).click({ position: { x: 8, y: 8 } })
        await page.getByRole('dialog').getByText('Tryouts for the patrol').waitFor()
      },
    },
    {
      name: 'event',
      at: () => `/w/$/events?event=${trainingId}`,
      heading: 'Events',
      reach: (page) => page.getByText('Training grounds').last().waitFor(),
    },
    {
      name: 'event-new',
      at: '/w/$/events',
      heading: 'Events',
      async reach(page) {
        await press(page, 'New event')
        await page.getByRole('dialog').getByLabel('Title', { exact: true }).fill('Patrol tryouts')
      },
    },
    {
      name: 'event-edit',
      at: () => `/w/$/events?event=${trainingId}`,
      heading: 'Events',
      async reach(page) {
        await press(page, 'Edit')
        const chosen = { name: 'evening.png', mimeType: 'image/png', buffer: evening(480, 480) }
        await page.locator('input[type=file]').setInputFiles(chosen)
        const preview = page.getByRole('img', { name: 'The image as it will be shown' })
        await preview.waitFor()
        await preview.scrollIntoViewIfNeeded()
      },
    },
    {
      name: 'event-delete',
      at: () => `/w/$/events?event=${trainingId}`,
      heading: 'Events',
      async reach(page) {
        await press(page, 'Delete')
        await page.getByText('Delete “Cadet training”?').waitFor()
      },
    },
  ],
}
