package roll.ui.web;

/** The answer to an API request of the page. */
public sealed interface ApiAnswer {
  /**
   * Records, maps, lists, texts and numbers as JSON; numbers that are not finite become null.
   *
   * @param value to write
   */
  record Json(Object value) implements ApiAnswer {}

  /**
   * Answer with the bytes of a file.
   *
   * @param type its media type
   * @param bytes which must not change
   */
  record Bytes(String type, byte[] bytes) implements ApiAnswer {}
}
