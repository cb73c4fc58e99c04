import { exampleTitles } from '../.vitepress/content/examples.js';

/** One page for each file of `examples/`. */
export default {
  paths: () =>
    Object.entries(exampleTitles).map(([example, title]) => ({
      params: { example, title },
      content: page(example, title),
    })),
};

const page = (example: string, title: string) => `# ${title}

<LiveExample id="${example}">

<<< @/../examples/${example}.ts

</LiveExample>
`;
