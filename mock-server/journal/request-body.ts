/**
 * The maximum nesting depth of parsed JSON. Printing or comparing more deeply nested values could overflow
 * the stack.
 */
const maxDepth = 200;

/**
 * Parses a body. Returns undefined if it's empty, and the string itself if it isn't JSON or is nested too
 * deeply.
 */
export function readJson(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined;
  if (depthOf(text) > maxDepth) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Counts the nesting levels of JSON in linear time without parsing it. */
export function depthOf(json: string): number {
  let depth = 0;
  let deepestLevel = 0;
  let isInString = false;
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index];
    if (isInString) {
      if (character === '\\') index += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '[' || character === '{') {
      depth += 1;
      deepestLevel = Math.max(deepestLevel, depth);
    } else if (character === ']' || character === '}') depth -= 1;
  }
  return deepestLevel;
}
