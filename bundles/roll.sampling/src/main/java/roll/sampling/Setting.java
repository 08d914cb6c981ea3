package roll.sampling;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/** What {@code sample.py} reads of the rows, in the order of its list. */
enum Setting {
  /** Tokens that end a response: int64 [rows, any]; always there. */
  STOPS,
  /** f32 [rows]; 0 takes the most likely token. */
  TEMPERATURE,
  /** int64 [rows]; 0 keeps all. */
  TOP_K,
  /** f32 [rows]; 1 keeps all. */
  TOP_P,
  /** f32 [rows]; 0 keeps all. */
  MIN_P,
  /** f32 [rows]; 1 changes nothing. */
  REPETITION_PENALTY,
  /** Tokens that the penalty is about: int64 [rows, any]. */
  SEEN,
  /** How many tokens must come before a stop token may: int64 [rows]. */
  LEAST,
  /** The only tokens that may come next: int64 [rows, any], anything where a row has none. */
  ALLOWED;

  /** The numbers by name, for the kernels. */
  static Map<String, Object> constants() {
    return Arrays.stream(values()).collect(Collectors.toMap(Enum::name, Enum::ordinal));
  }
}
