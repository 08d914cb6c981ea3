package roll.ui.web;

/** What is sent to a browser. */
public sealed interface Answer {
  /**
   * Records, maps, lists, texts and numbers as JSON; numbers that are not finite become null.
   *
   * @param value what is written
   */
  record Json(Object value) implements Answer {}

  /**
   * A file.
   *
   * @param type its media type
   * @param bytes which nobody changes
   */
  record Bytes(String type, byte[] bytes) implements Answer {}
}
