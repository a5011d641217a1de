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
    expect(keyfilePaths(flags, environment, 'linux')).toEqual(expected);
  });

  const roaming = 'C:\\Users\\me\\AppData\\Roaming';
  it.each([
    ['APPDATA', {APPDATA: 'D:\\data', USERPROFILE: 'C:\\Users\\me'}, 'D:\\data'],
    ['the usual place of it', {APPDATA: '', USERPROFILE: 'C:\\Users\\me'}, roaming],
    ['no relative APPDATA', {APPDATA: 'data', USERPROFILE: 'C:\\Users\\me'}, roaming],
    ['no HOME', {APPDATA: roaming, HOME: '/home/me'}, roaming],
    ['XDG_CONFIG_HOME first', {APPDATA: roaming, XDG_CONFIG_HOME: 'D:\\xdg'}, 'D:\\xdg'],
  ])('takes, on Windows, %s', (_, environment, expected) => {
    expect(keyfilePaths([], environment, 'win32')).toEqual([`${expected}\\paylens\\keyfile.age`]);
  });

  it('asks for APPDATA on Windows only', () => {
    const environment = {HOME: '/h', APPDATA: '/data'};
    expect(keyfilePaths([], environment, 'darwin')).toEqual(['/h/.config/paylens/keyfile.age']);
  });
});
