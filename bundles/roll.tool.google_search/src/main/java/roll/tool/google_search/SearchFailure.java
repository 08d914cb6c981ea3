package roll.tool.google_search;

/** There is no answer; the message is what the model is told. */
final class SearchFailure extends Exception {
  private static final long serialVersionUID = 1L;

  SearchFailure(String message) {
    super(message);
  }
}
