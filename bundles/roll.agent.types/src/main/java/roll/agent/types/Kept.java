package roll.agent.types;

/** What is kept of a message that ends with its call. */
final class Kept {
  private Kept() {}

  /**
   * How many characters of {@code response} are kept.
   *
   * @param end of the call; −1 where there is none
   */
  static int upTo(String response, int end) {
    return end < 0 || response.substring(end).isBlank() ? response.length() : end;
  }
}
