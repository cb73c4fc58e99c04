// This is the entry point for workerd.
import { main } from './program.mjs';

export default {
  async test(_controller, { SERVED }) {
    await main(SERVED);
  },
};
