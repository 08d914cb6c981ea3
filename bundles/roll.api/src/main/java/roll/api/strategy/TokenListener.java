package roll.api.strategy;

import org.osgi.annotation.versioning.ConsumerType;

/** Receives tokens while responses are generated. */
@ConsumerType
@FunctionalInterface
public interface TokenListener {
  /**
   * A token was drawn. Called in the order of each response's tokens, on the thread that computes:
   * what takes long holds up the generation, what is thrown ends it.
   *
   * @param request index of the request in the list that was asked for
   * @param token its next token
   */
  void sampled(int request, int token);

  /**
   * The same for who wants the log-prob too; it is told in place of the other.
   *
   * @param logProb as {@link Generation#logProbs} has it
   */
  default void sampled(int request, int token, double logProb) {
    sampled(request, token);
  }
}
