/** A check that failed, with what is known of the reason. */
class CardFailure extends Exception {
  private static final long serialVersionUID = 1;

  CardFailure(String reason) {
    super(reason);
  }
}
