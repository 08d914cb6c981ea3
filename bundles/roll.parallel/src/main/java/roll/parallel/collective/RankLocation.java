package roll.parallel.collective;

import roll.api.option.UserException;

/**
 * The location of a rank of a group.
 *
 * @param process name of its process, the same in all processes; "" if there is only one
 * @param address host name or address on which its process listens for other processes; "" if there
 *     is only one
 * @param card CUDA device number in its process, or {@link #CPU}
 */
public record RankLocation(String process, String address, int card) {
  /** No card: the rank is on the CPU. */
  public static final int CPU = -1;

  /**
   * Checks the card number.
   *
   * @throws UserException if it is negative and not {@link #CPU}
   */
  public RankLocation {
    if (card < CPU) {
      throw new UserException(
          "a rank cannot be on CUDA device %d: numbers begin at 0".formatted(card));
    }
  }

  /** Returns whether the rank is on a card. */
  public boolean onCard() {
    return card != CPU;
  }

  /** Returns, for example, {@code CPU} or {@code CUDA device 1 of node-2}. */
  @Override
  public String toString() {
    String place = onCard() ? "CUDA device " + card : "CPU";
    return process.isEmpty() ? place : place + " of " + process;
  }
}
