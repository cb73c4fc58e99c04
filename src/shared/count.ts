/** Formats a number with its noun, such as `1 ticket` or `1,200 tickets`. */
export const counted = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString('en-US')} ${number === 1 ? one : many}`;
