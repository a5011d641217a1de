import type {About} from '../about.js';

/** The PhreesiaPad tablet. */
export const aboutPhressiapad: About = {
  title: 'PhreesiaPad tablet',
  summary:
    'A check-in tablet. No format and no payload of it is public: paylens accepts the formats of other terminals that it most likely uses. The spelling is that of the interface.',
  evidence: 'inferred',
  tables: [],
  trials: [
    {what: 'a swipe in the first form', mode: 'swiped'},
    {what: 'a chip read', mode: 'emv'},
    {what: 'keyed entry', mode: 'keyed'},
  ],
};
