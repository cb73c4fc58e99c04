/**
 * The nesting depth above which JSON is kept as a string, because printing or comparing it would recurse too
 * deeply.
 */
const maxDepth = 200;

/** @returns undefined for no body, a string for a body that isn't JSON or is nested too deeply */
export function readJson(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined;
  if (depthOf(text) > maxDepth) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Counts the nesting levels of JSON without parsing it, in linear time for any input. */
export function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  let isInString = false;
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index];
    if (isInString) {
      if (character === '\\') index += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '[' || character === '{') {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (character === ']' || character === '}') depth -= 1;
  }
  return deepest;
}
