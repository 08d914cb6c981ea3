/** A check that this machine cannot run, with the reason. */
class CardSkipped extends Exception {
  private static final long serialVersionUID = 1;

  CardSkipped(String reason) {
    super(reason);
  }
}
