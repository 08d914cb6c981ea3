// Numbers, times and sizes as people read them. A missing value is a dash.

const NONE = '–';

/** Four significant digits, thousands grouped by a thin space, tiny and huge numbers as powers of ten. */
export function number(value) {
  const size = Math.abs(value);
  if (size > 0 && size < Infinity && (size < 1e-4 || size >= 1e9)) {
    return power(value, 2);
  }
  const digits = size < 1 ? 3 : 4;
  return written(value, Number.isInteger(value) || size >= 1000 ? { maximumFractionDigits: 0 }
    : { minimumSignificantDigits: digits, maximumSignificantDigits: digits });
}

/** Three decimals, so that a column of scores is aligned; a power of ten where they would all be 0. */
export function decimal(value) {
  const size = Math.abs(value);
  return (size > 0 && size < 0.0005) || (size >= 1e5 && size < Infinity) ? power(value, 1) : fixed(value, 3);
}

/** An integer. */
export function count(value) {
  return fixed(value, 0);
}

/** `0.123` as 12.3%. */
export function percent(share) {
  return written(share, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 });
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
  const two = part => String(Math.floor(part)).padStart(2, '0');
  if (whole < 3600) {
    return `${Math.floor(whole / 60)}m ${two(whole % 60)}s`;
  }
  return whole < 48 * 3600 ? `${Math.floor(whole / 3600)}h ${two((whole % 3600) / 60)}m`
    : `${Math.floor(whole / 86400)}d ${Math.floor((whole % 86400) / 3600)}h`;
}

/** Megabytes as 1.2 MB, 120 MB or 3.4 GB. */
export function megabytes(value) {
  const size = Math.abs(value ?? 0);
  if (size < 1024) {
    return value === null || value === undefined ? NONE : `${fixed(value, size < 100 ? 1 : 0)} MB`;
  }
  return `${fixed(value / 1024, size < 102400 ? 1 : 0)} GB`; // a megabyte of the metrics is 2^20 bytes
}

/** A time in ms since 1970: the time of today, otherwise with its day, and with the year of another year. */
export function moment(ms) {
  if (!ms) {
    return NONE;
  }
  const [date, now] = [new Date(ms), new Date()];
  const time = { hour: '2-digit', minute: '2-digit' };
  const day = { day: 'numeric', month: 'short', ...time };
  return date.toLocaleString('en-GB', now.toDateString() === date.toDateString() ? time
    : now.getFullYear() === date.getFullYear() ? day : { year: 'numeric', ...day });
}

/** Seconds since 1970 as a time of day. */
export function timeOfDay(value) {
  return new Date(value * 1000).toLocaleTimeString('en-GB');
}

/** `1 key`, `2 keys`. */
export function plural(many, noun) {
  return `${count(many)} ${noun}${many === 1 ? '' : 's'}`;
}

function fixed(value, digits) {
  return written(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function power(value, digits) {
  return written(value, { notation: 'scientific', minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function written(value, options) {
  if (value === null || value === undefined || Number.isNaN(value)) {
    return NONE;
  }
  return value.toLocaleString('en', { useGrouping: 'min2', signDisplay: 'negative', ...options })
    .replaceAll(',', '\u2009').replaceAll('-', '\u2212').replace('E', 'e');
}
