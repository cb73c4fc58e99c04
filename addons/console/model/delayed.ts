import { onBeforeUnmount } from 'vue';

/**
 * Returns a function that calls `run` after a delay in milliseconds. The call is canceled if the function is called
 * again or if the component is removed in the meantime.
 */
export function useDelayed(run: () => unknown, delay: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = () => clearTimeout(timer);
  onBeforeUnmount(cancel);
  return () => {
    cancel();
    timer = setTimeout(run, delay);
  };
}
