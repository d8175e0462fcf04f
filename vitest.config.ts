import { defineConfig } from 'vitest/config';

const slow = { testTimeout: 120_000, hookTimeout: 120_000 };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{env,generator,rollout,trainer-bridge,scripts}/**/*.test.ts'],
          exclude: ['**/*.tmux.test.ts', '**/node_modules/**', '**/dist/**'],
        },
      },
      {
        test: {
          name: 'tmux',
          include: ['{env,generator,rollout,trainer-bridge,scripts,tests}/**/*.tmux.test.ts', 'tests/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/dist/**'],
          ...slow,
        },
      },
    ],
  },
});
