package roll.serve;

/** A part of an answer. */
sealed interface Piece {
  /** What the model says. */
  record Text(String text) implements Piece {}

  /**
   * A tool that the model calls.
   *
   * @param arguments a JSON object, as text
   */
  record Call(String name, String arguments) implements Piece {}
}
