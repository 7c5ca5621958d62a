/** An event in November. */
interface PlannedEvent {
  readonly day: string
  readonly hour: string
  readonly title: string
  readonly eventType: string
  readonly isDraft?: boolean
  /** Whether it has an image. */
  readonly hasImage?: boolean
  readonly [field: string]: string | boolean | undefined
}

const training = { title: 'Cadet training', eventType: 'training', trainingHost: 'sena' }
const shift = { title: 'Night shift', eventType: 'shift' }

/** The events of the Night Owls in one month. */
export const plannedEvents: readonly PlannedEvent[] = [
  { ...training, day: '03', hour: '19' },
  { ...shift, day: '06', hour: '21' },
  { title: 'Staff meeting', eventType: 'meeting', day: '08', hour: '18' },
  { ...training, day: '10', hour: '19' },
  { ...shift, day: '13', hour: '21' },
  { title: 'Patrol tryouts', eventType: 'tryout', day: '14', hour: '17' },
  { ...training, day: '17', hour: '19' },
  { ...shift, day: '20', hour: '21' },
  {
    title: 'Lantern night',
    eventType: 'event',
    day: '21',
    hour: '19',
    hasImage: true,
    description: 'Everybody brings a light. We meet at the harbour and walk up to the old tower together.',
    experienceName: 'Harbour Town',
    experienceUrl: 'https://games.example.com/harbour-town',
    experiencePlaceId: '4416',
  },
  { title: 'Staff meeting', eventType: 'meeting', day: '22', hour: '18' },
  { ...training, day: '24', hour: '19' },
  { ...training, day: '24', hour: '21', title: 'Training of trainers', isDraft: true },
  { ...shift, day: '27', hour: '21' },
  { title: 'Patrol tryouts', eventType: 'tryout', day: '28', hour: '17', isDraft: true },
]
