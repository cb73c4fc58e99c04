import { describe, expect, test } from 'vitest';
import {
  describeFieldErrors,
  type OperationId,
  operationOf,
  type Schema,
  validate,
} from 'worktrack/contract';

type Part = 'body' | 'query' | 'response';

const fieldErrorsOf = (id: OperationId, part: Part, value: unknown) => {
  const result = validate(operationOf(id)[part] as Schema<unknown, never>, value);
  if (result.ok) throw new Error(`${id} accepts the ${part}`);
  return result.fieldErrors;
};
const repeatItem = <Item>(count: number, item: Item): Item[] => new Array(count).fill(item);
const label = { id: 'lbl_1', name: 'bug', color: null };

describe('validate', () => {
  test('reports at most ten errors for 80,000 invalid records', () => {
    const errors = fieldErrorsOf('projects.labels.list', 'response', [label, ...repeatItem(80_000, {})]);
    expect(Object.keys(errors)).toHaveLength(10 * 3 + 1);
    expect(errors['10.color']).toEqual(['is required']);
    expect(errors['(body)']).toEqual(['and 79,990 more invalid items']);
  });

  test('reports at most ten errors for 200,000 invalid labels in a record', () => {
    const errors = fieldErrorsOf('tickets.get', 'response', { labels: repeatItem(200_000, {}) });
    expect(errors.labels).toEqual(['and 199,990 more invalid items']);
  });

  test('reports at most ten errors for 200,000 IDs of the wrong type', () => {
    const errors = fieldErrorsOf('tickets.update', 'body', { assignee_ids: repeatItem(200_000, 1) });
    expect(Object.keys(errors)).toHaveLength(11);
    expect(errors['assignee_ids.9']).toEqual(['must be a string']);
    expect(errors.assignee_ids).toEqual(['and 199,990 more invalid items']);
  });

  test('reports at most ten errors for 200,000 tag names with commas', () => {
    const errors = fieldErrorsOf('documents.list', 'query', { tags: repeatItem(200_000, 'a,b') });
    expect(Object.keys(errors)).toHaveLength(11);
    expect(errors.tags).toEqual(['and 199,990 more invalid items']);
  });

  test('reports at most ten errors for 200,000 unknown fields', () => {
    const fields = Object.fromEntries(repeatItem(200_000, 0).map((_, index) => [`field${index}`, 1]));
    const errors = fieldErrorsOf('projects.update', 'body', fields);
    expect(Object.keys(errors)).toHaveLength(11);
    expect(errors['(body)']).toEqual(['and 199,990 more unknown fields']);
  });

  test("doesn't mention further errors if exactly ten fields are unknown", () => {
    const names = repeatItem(10, 0).map((_, index) => `field${index}`);
    const errors = fieldErrorsOf(
      'projects.update',
      'body',
      Object.fromEntries(names.map((name) => [name, 1])),
    );
    expect(Object.keys(errors)).toEqual(names);
  });

  test("doesn't mention further errors if exactly ten items are invalid", () => {
    const errors = fieldErrorsOf('tickets.update', 'body', { assignee_ids: repeatItem(10, 1) });
    expect(Object.keys(errors)).toEqual(repeatItem(10, 0).map((_, index) => `assignee_ids.${index}`));
  });
});

test('validate reports the index of each invalid list item', () => {
  const errors = fieldErrorsOf('tickets.update', 'body', { label_ids: ['a', 1, 'b', 2] });
  expect(Object.keys(errors)).toEqual(['label_ids.1', 'label_ids.3']);
});

describe('describeFieldErrors', () => {
  const errors = {
    title: ['is required', 'is too short'],
    descripton: ['unknown field; did you mean "description_html"?'],
    label_ids: ['and 1,990 more invalid items'],
    priority: ['is odd'],
  };

  test('joins all errors into one line', () => {
    expect(describeFieldErrors(errors)).toBe(
      'title is required; title is too short; unknown field "descripton"; did you mean "description_html"? ' +
        'and 1,990 more invalid items in label_ids; priority is odd',
    );
  });

  test.each([
    ['title', 'The title field is required.'],
    ['title', 'title is required'],
    ['due_at', 'The due at is not a valid date.'],
    ['tag_names.3', 'The tag_names.3 must be a string.'],
    ['label_ids', 'and 1,990 more invalid items in label_ids'],
  ])('omits the field name %s if the message already contains it: %j', (field, message) => {
    expect(describeFieldErrors({ [field]: [message] })).toBe(message);
  });

  test("separates errors with a space instead of a semicolon if they're complete sentences", () => {
    expect(
      describeFieldErrors({ key: ['Already taken.'], title: ['The title is required.', 'is odd'] }),
    ).toBe('key: Already taken. The title is required. title is odd');
  });

  test('reports how many errors exceed the limit, and preserves counts that are already in the messages', () => {
    expect(describeFieldErrors(errors, 1)).toBe(
      'title is required; and 1,990 more invalid items in label_ids; and 3 more',
    );
  });
});
