import {describe, expect, it} from 'vitest';
import {createSteadyClock} from '../../src/auth/steady-clock.js';

function clockAt(wall: number) {
  const system = {wall, real: 50};
  const clock = createSteadyClock(
    () => system.wall,
    () => system.real,
  );
  const pass = (wallTime: number, realTime: number) => {
    system.wall += wallTime;
    system.real += realTime;
    return [clock.now(), clock.elapsed()];
  };
  return {pass};
}

describe('the steady clock', () => {
  it('goes with the system clock', () => {
    expect(clockAt(1000).pass(300, 300)).toEqual([1300, 300]);
  });

  it('stands while the system clock is set back', () => {
    const {pass} = clockAt(1_000_000);
    expect(pass(-600_000, 10)).toEqual([1_000_000, 0]);
  });

  it('goes on once the system clock has caught up', () => {
    const {pass} = clockAt(1_000_000);
    pass(-600_000, 0);
    expect(pass(600_500, 600_500)).toEqual([1_000_500, 500]);
  });

  it('follows the system clock ahead, but lets no lifetime end early', () => {
    expect(clockAt(0).pass(600_000, 20)).toEqual([600_000, 20]);
  });
});
