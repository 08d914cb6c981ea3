package roll.sampling;

import org.jspecify.annotations.Nullable;

/** The allowed next tokens of a response: an immutable function of the tokens so far. */
sealed interface Guide permits ChoiceTrie, GrammarGuide {
  /**
   * Returns the allowed tokens if they are few; empty if {@link #mask} has them.
   *
   * @param stops tokens that end the response, allowed where it may end
   */
  int[] allowed(int[] stops);

  /** Returns the allowed tokens, a bit each; null if {@link #allowed} lists them. */
  long @Nullable [] mask();

  /** Returns whether {@code token}, which is not a stop token, is allowed. */
  boolean allows(int token);

  /**
   * Returns the guide after {@code token}, which is not a stop token.
   *
   * @throws IllegalStateException if it is not allowed
   */
  Guide after(int token);

  /** Returns whether the response is whole and cannot continue. */
  boolean complete();
}
