import { count } from '../../format/number.ts'
import type { Effect, Outcome } from './effect.ts'

const people = (value: number): string => count(value, 'person', 'people')

/** Whom one change of a permission reaches. */
export function peopleWords(which: 'gives' | 'takes', { people: reached }: Pick<Effect, 'people'>): string {
  if (which === 'gives') return reached === 0 ? 'Nobody new gains it' : `${people(reached)} will have it`
  return reached === 0 ? 'Nobody loses it' : `${people(reached)} will lose it`
}

/** What a draft comes to, in a sentence. */
export function outcomeWords({ gaining, losing }: Pick<Outcome, 'gaining' | 'losing'>): string {
  const parts = [
    gaining > 0 ? `gives something new to ${people(gaining)}` : '',
    losing > 0 ? `takes something from ${people(losing)}` : '',
  ].filter(Boolean)
  const sentence = parts.join(' and ')
  return sentence ? `It ${sentence}.` : 'For now nobody gains or loses anything by it.'
}
