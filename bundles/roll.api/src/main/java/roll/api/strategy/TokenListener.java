package roll.api.strategy;

import org.osgi.annotation.versioning.ConsumerType;

/** Receives tokens while responses are generated. */
@ConsumerType
@FunctionalInterface
public interface TokenListener {
  /**
   * Called for each sampled token, in the order of each response's tokens, on the compute thread:
   * slow listeners delay generation, exceptions end it.
   *
   * @param request index of the request in the list
   * @param token its next token
   */
  void sampled(int request, int token);

  /**
   * Like {@link #sampled(int, int)}, with the log-prob; called instead of it.
   *
   * @param logProb as in {@link Generation#logProbs}
   */
  default void sampled(int request, int token, double logProb) {
    sampled(request, token);
  }
}
