import {describe, expect, it} from 'vitest';
import {progressOf, SteadyClock} from '../../src/auth/steady-clock.js';

/** 2026-11-24T12:00:00Z, in seconds. */
const NOON = 1_795_521_600;

/** A clock at noon whose system time and real time pass as told, in seconds. */
function clockAtNoon() {
  const system = {wall: NOON * 1000, real: 50};
  const jumps: number[] = [];
  const clock = new SteadyClock(
    () => system.wall,
    () => system.real,
    (seconds) => jumps.push(seconds),
  );
  const pass = (real: number, set = 0) => {
    system.wall += (real + set) * 1000;
    system.real += real * 1000;
    return [clock.now() / 1000 - NOON, clock.latest() / 1000 - NOON, clock.elapsed() / 1000];
  };
  return {clock, pass, jumps};
}

/** A request each second, with the clock set ahead by 100 s and back in turns. */
function acceptBetweenSettings(
  clock: SteadyClock,
  pass: (real: number, set: number) => unknown,
  settings: number,
): void {
  for (let i = 0; i < settings; i++) {
    clock.noteAccepted(clock.now() / 1000);
    pass(1, i % 2 === 0 ? 100 : -100);
  }
}

describe('the steady clock', () => {
  it('goes with the system clock', () => {
    const {pass, jumps} = clockAtNoon();
    expect(pass(300)).toEqual([300, 300, 300]);
    expect(jumps).toEqual([]);
  });

  it('follows the system clock back and ahead, and counts real time', () => {
    const {clock, pass, jumps} = clockAtNoon();
    expect(pass(10, -600)).toEqual([-590, 0, 10]);
    expect(pass(0, 4200)).toEqual([3610, 3610, 10]);
    expect(pass(5, -3600)).toEqual([15, 3610, 15]);
    expect(jumps).toEqual([-600, 4200, -3600]);
    expect(clock.jumps).toBe(3);
  });

  it('takes the adjustment of a clock for no jump', () => {
    const {clock, pass} = clockAtNoon();
    pass(10, 0.4);
    pass(10, -0.9);
    expect(clock.jumps).toBe(0);
  });

  it('goes no faster than a clock that is given, and than real time', () => {
    const at = {given: NOON * 1000, real: 7};
    const progress = progressOf(
      () => at.given,
      () => at.real,
    );
    const pass = (given: number, real: number) => {
      at.given += given;
      at.real += real;
      return progress();
    };
    const steps = [pass(0, 5000), pass(3000, 1000), pass(-9000, 4000), pass(200, 500)];
    expect(steps).toEqual([0, 1000, 1000, 1200]);
  });
});

describe('a request dated within an earlier setting of the clock', () => {
  it('is none of the forgotten while its nonce is stored, 901 s of real time', () => {
    const {clock, pass} = clockAtNoon();
    clock.noteAccepted(NOON);
    pass(890, -600);
    expect(clock.mayBeForgotten(NOON)).toBe(false);
    pass(20);
    expect(clock.mayBeForgotten(NOON)).toBe(true);
    expect(clock.mayBeForgotten(NOON + 1)).toBe(false);
    expect(clock.mayBeForgotten(NOON - 1)).toBe(false);
  });

  it('does not exist where no request was accepted', () => {
    const {clock, pass} = clockAtNoon();
    pass(5, 3600);
    pass(5, -3600);
    pass(3600);
    for (let at = NOON; at < NOON + 7200; at += 60) expect(clock.mayBeForgotten(at)).toBe(false);
  });

  it('is every one accepted under a clock an hour ahead, and no correct one before', () => {
    const {clock, pass} = clockAtNoon();
    pass(0, 3600);
    clock.noteAccepted(NOON + 3600);
    clock.noteAccepted(NOON + 3605);
    pass(5, -3600);
    for (let at = -900; at <= 900; at += 50)
      expect(clock.mayBeForgotten(NOON + 5 + at)).toBe(false);
    pass(910);
    expect(clock.mayBeForgotten(NOON + 3600)).toBe(true);
    expect(clock.mayBeForgotten(NOON + 3605)).toBe(true);
    expect(clock.mayBeForgotten(NOON + 3606)).toBe(false);
  });

  it('is remembered over more settings than are kept one by one', () => {
    const {clock, pass} = clockAtNoon();
    acceptBetweenSettings(clock, pass, 1100);
    pass(2000, -2000);
    for (const at of [NOON, NOON + 1, NOON + 20, NOON + 101])
      expect(clock.mayBeForgotten(at)).toBe(true);
  });

  it('is told from one that was not sent, however often the clock was set in between', () => {
    const {clock, pass} = clockAtNoon();
    acceptBetweenSettings(clock, pass, 400);
    pass(2000, -2000);
    const dates = [NOON, NOON + 1, NOON + 2, NOON + 99, NOON + 101];
    expect(dates.map((at) => clock.mayBeForgotten(at))).toEqual([true, false, true, false, true]);
  });
});
