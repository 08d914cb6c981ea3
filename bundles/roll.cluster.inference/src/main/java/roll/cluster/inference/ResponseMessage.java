package roll.cluster.inference;

import java.util.Arrays;
import java.util.stream.IntStream;
import roll.api.strategy.Generation;

/**
 * Encoded form of a {@link Generation}: consecutive tokens with the same weight version share it.
 *
 * @param starts index of the first token of each run of a version
 * @param versions weight version of each run
 */
record ResponseMessage(
    int[] tokens,
    double[] logProbs,
    double[] samplingLogProbs,
    boolean stopped,
    int[] starts,
    long[] versions) {
  /**
   * Creates a message.
   *
   * @throws IllegalArgumentException if the runs do not cover the tokens
   */
  ResponseMessage {
    if (starts.length == 0 ? tokens.length > 0 : starts[0] != 0) {
      throw new IllegalArgumentException("tokens have no version");
    }
    for (int i = 0; i < starts.length; i++) {
      int end = i + 1 < starts.length ? starts[i + 1] : tokens.length;
      if (end <= starts[i] || end > tokens.length || starts.length != versions.length) {
        throw new IllegalArgumentException("the versions of tokens overlap");
      }
    }
  }

  /** Encodes a generated response as a message. */
  static ResponseMessage of(Generation response) {
    long[] all = response.weightVersions();
    int[] starts =
        IntStream.range(0, all.length).filter(i -> i == 0 || all[i] != all[i - 1]).toArray();
    return new ResponseMessage(
        response.tokens(),
        response.logProbs(),
        response.samplingLogProbs(),
        response.stopped(),
        starts,
        Arrays.stream(starts).mapToLong(start -> all[start]).toArray());
  }

  /** Decodes the generated response of the message. */
  Generation response() {
    long[] all = new long[tokens.length];
    for (int i = 0; i < starts.length; i++) {
      Arrays.fill(all, starts[i], i + 1 < starts.length ? starts[i + 1] : all.length, versions[i]);
    }
    return new Generation(tokens, logProbs, samplingLogProbs, stopped, all);
  }
}
