// The small entry point: a decryption with the terminals that are named, and no others.
import {decrypt, PaylensError} from 'paylens/decrypt';
import {idtech} from 'paylens/terminals/idtech';
import {miura} from 'paylens/terminals/miura';

// Published by Miura with the test BDK of ANSI X9.24-1.
const payload =
  'E181B748020007DFAE027872212907C9B93D919511254CA428CE061009857EC1F129D3DE63CBF9F7D5452C36C961C881A11E84EF2F7D6C223C12CF2CC55A87AFC2D097F57D07BFF787A997CA5DB3E0FE46AF9C7C37580459EE6F6065CAD8E1BDACAE01B8ED4E06D232485F3B7A72C88119E3DF27F3553284411FCC8DC25EFC8ECF4AFADFAE030A00000200000055400182DFAE22253B3437363137332A2A2A2A2A2A303031303D313531323230312A2A2A2A2A2A2A2A2A2A3F2A';
const keys = {bdk: '0123456789ABCDEFFEDCBA9876543210'};

function outcome(terminals) {
  try {
    return decrypt(payload, {terminals, keys}).extracted.PAN;
  } catch (error) {
    return error instanceof PaylensError ? error.code : String(error);
  }
}

const line = JSON.stringify([outcome([idtech, miura]), outcome([idtech]), outcome([{...miura}])]);
if ('document' in globalThis) await fetch('answers', {method: 'POST', body: line});
else console.log(line);
