// Numbers, times and sizes as people read them. What has no value is a dash.

const NONE = '–';
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MINUS = '\u2212';

/** Four significant digits, thousands grouped by a thin space, tiny and huge ones as powers of ten. */
export function number(value) {
  if (value === null || value === undefined || Number.isNaN(value)) {
    return NONE;
  }
  if (!Number.isFinite(value)) {
    return value > 0 ? '∞' : `${MINUS}∞`;
  }
  return signed(value, unsigned(Math.abs(value)));
}

/** Three decimals, so that a column of scores is aligned; the exponent where they would all be 0. */
export function decimal(value) {
  const size = Math.abs(value ?? NaN);
  if (size === 0 || (size >= 0.0005 && size < 1e5)) {
    return signed(value, size.toFixed(3));
  }
  return Number.isFinite(size) ? signed(value, power(size, 1)) : number(value);
}

/** A count, whole. */
export function count(value) {
  return value === null || value === undefined ? NONE : signed(value, grouped(Math.round(Math.abs(value)).toString()));
}

/** `0.123` as 12.3 %. */
export function percent(share) {
  return share === null || share === undefined ? NONE : `${signed(share, (Math.abs(share) * 100).toFixed(1))} %`;
}

/** Seconds as 4 ms, 0.52 s, 12.4 s, 3m 05s, 2h 07m, 3d 4h. */
export function seconds(value) {
  if (value === null || value === undefined || !Number.isFinite(value)) {
    return NONE;
  }
  if (value > 0 && value < 0.0995) {
    return `${value < 0.00095 ? '< 1' : Math.round(value * 1000)} ms`;
  }
  if (value < 59.95) {
    return `${value < 10 ? value.toFixed(2) : value.toFixed(1)} s`;
  }
  const whole = Math.round(value);
  if (whole < 3600) {
    return `${Math.floor(whole / 60)}m ${two(whole % 60)}s`;
  }
  if (whole < 48 * 3600) {
    return `${Math.floor(whole / 3600)}h ${two(Math.floor((whole % 3600) / 60))}m`;
  }
  return `${Math.floor(whole / 86400)}d ${Math.floor((whole % 86400) / 3600)}h`;
}

/** Megabytes as 1.2 MB, 120 MB or 3.4 GB. */
export function megabytes(value) {
  if (value === null || value === undefined) {
    return NONE;
  }
  if (Math.abs(value) < 100) {
    return `${signed(value, Math.abs(value).toFixed(1))} MB`;
  }
  const gigabytes = Math.abs(value) / 1024; // the metrics' megabytes are of 2^20 bytes
  return gigabytes < 1 ? `${count(value)} MB` : `${signed(value, gigabytes.toFixed(gigabytes < 100 ? 1 : 0))} GB`;
}

/** A moment: the time of today, otherwise with its day, and with the year of another one. */
export function moment(ms) {
  if (!ms) {
    return NONE;
  }
  const date = new Date(ms);
  const now = new Date();
  const time = `${two(date.getHours())}:${two(date.getMinutes())}`;
  const day = `${date.getDate()} ${MONTHS[date.getMonth()]}`;
  if (now.toDateString() === date.toDateString()) {
    return time;
  }
  return now.getFullYear() === date.getFullYear() ? `${day}, ${time}` : `${day} ${date.getFullYear()}, ${time}`;
}

/** Seconds since 1970 as a time of day. */
export function timeOfDay(value) {
  return new Date(value * 1000).toLocaleTimeString('en-GB');
}

function unsigned(value) {
  if (value === 0) {
    return '0';
  }
  if (value < 1e-4 || value >= 1e9) {
    return power(value, 2);
  }
  if (value >= 1000) {
    return grouped(value.toFixed(value < 10000 && !Number.isInteger(value) ? 1 : 0));
  }
  const text = value.toPrecision(value < 1 ? 3 : 4);
  return Number.isInteger(value) ? value.toString() : text;
}

function power(value, digits) {
  const [mantissa, exponent] = value.toExponential(digits).split('e');
  return `${mantissa}e${exponent.replace('+', '').replace('-', MINUS)}`;
}

function grouped(digits) {
  const [whole, part] = digits.split('.');
  const groups = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, '\u2009') : whole;
  return part ? `${groups}.${part}` : groups;
}

function signed(value, text) {
  return value < 0 ? MINUS + text : text;
}

function two(value) {
  return String(value).padStart(2, '0');
}
