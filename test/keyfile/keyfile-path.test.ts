import {describe, expect, it} from 'vitest';
import {keyfilePaths} from '../../src/keyfile/keyfile-path.js';

describe('keyfilePaths', () => {
  const env = {XDG_CONFIG_HOME: '/xdg', HOME: '/home/me', PAYLENS_KEYFILE: '/env.age'};

  it.each([
    ['the flags first, all of them', ['a.age', 'b.age'], env, ['a.age', 'b.age']],
    ['PAYLENS_KEYFILE next', [], env, ['/env.age']],
    ['XDG_CONFIG_HOME next', [], {...env, PAYLENS_KEYFILE: ''}, ['/xdg/paylens/keyfile.age']],
    ['~/.config last', [], {HOME: '/home/me'}, ['/home/me/.config/paylens/keyfile.age']],
    [
      'no relative XDG_CONFIG_HOME',
      [],
      {HOME: '/h', XDG_CONFIG_HOME: 'x'},
      ['/h/.config/paylens/keyfile.age'],
    ],
  ])('takes %s', (_, flags, environment, expected) => {
    expect(keyfilePaths(flags, environment)).toEqual(expected);
  });
});
