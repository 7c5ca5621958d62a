import classes from './initials.module.css'

/** The first letters of the first and last word, or the first two letters of a single word. */
function getInitials(name: string): string {
  const words = name.split(/[\s._-]+/).filter(Boolean)
  const letters =
    words.length > 1 ? [words[0], words.at(-1)].map((word) => [...(word ?? '')][0]) : [...name].slice(0, 2)
  return letters.join('').toLocaleUpperCase()
}

/** A decorative avatar. The name is next to it, or labels the button around it. */
export const Initials = ({ name, size = 24 }: { readonly name: string; readonly size?: number }) => (
  <span
    aria-hidden
    className={classes.initials}
    data-initials={getInitials(name)}
    style={{ width: size, height: size, fontSize: size * 0.4 }}
  />
)
