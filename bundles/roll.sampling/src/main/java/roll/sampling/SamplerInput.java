package roll.sampling;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The settings of rows for {@code sample.py}, in the order of its list. */
enum SamplerInput {
  /** Tokens that end a response: int64 [rows, any]; always present. */
  STOPS,
  /** Sampler input: f32 [rows]; 0 is greedy. */
  TEMPERATURE,
  /** Sampler input: int64 [rows]; 0 keeps all. */
  TOP_K,
  /**
   * The same instead, if all rows but greedy ones keep at most {@link #SMALL} tokens: of so many
   * the host knows that they suffice.
   */
  SMALL_TOP_K,
  /** Sampler input: f32 [rows]; 1 keeps all. */
  TOP_P,
  /** Sampler input: f32 [rows]; 0 keeps all. */
  MIN_P,
  /** Sampler input: f32 [rows]; 1 changes nothing. */
  REPETITION_PENALTY,
  /** Tokens for the repetition penalty: int64 [rows, any]. */
  SEEN,
  /** Minimum number of tokens before a stop token: int64 [rows]. */
  MIN_TOKENS,
  /** Allowed next tokens: int64 [rows, any], all if a row has none. */
  ALLOWED,
  /** Tokens with a bias: int64 [rows, any]. */
  BIASED,
  /** Their bias: f32 [rows, any]. */
  BIAS,
  /** Allowed next tokens, a bit each: int64 [rows, any], all bits if a row has no mask. */
  MASK;

  /** Maximum of {@link #SMALL_TOP_K}. */
  static final int SMALL = 1024;

  /** Returns the numbers by name, and that of {@link #SMALL}, for the kernels. */
  static Map<String, Object> constants() {
    Map<String, Object> constants =
        new HashMap<>(Arrays.stream(values()).collect(Collectors.toMap(Enum::name, Enum::ordinal)));
    constants.put("SMALL", SMALL);
    return constants;
  }
}
