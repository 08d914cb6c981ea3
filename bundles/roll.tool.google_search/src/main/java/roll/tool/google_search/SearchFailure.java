package roll.tool.google_search;

/** Thrown if a search fails; the message is for the model. */
final class SearchFailure extends Exception {
  private static final long serialVersionUID = 1L;

  SearchFailure(String message) {
    super(message);
  }
}
