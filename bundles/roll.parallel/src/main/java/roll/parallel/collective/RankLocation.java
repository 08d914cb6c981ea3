package roll.parallel.collective;

import roll.api.option.UserException;

/**
 * Where a rank of a group lives.
 *
 * @param process the name of its process, the same for all who speak of it; "" where there is only
 *     one
 * @param address what its process listens on for other processes, a host's name or address of one
 *     network interface; "" where there is only one process
 * @param card the number that CUDA has for its card in its process, or {@link #CPU}
 */
public record RankLocation(String process, String address, int card) {
  /** No card: the rank's memory is the computer's. */
  public static final int CPU = -1;

  /**
   * Checks the number of the card.
   *
   * @throws UserException if there can be no such card
   */
  public RankLocation {
    if (card < CPU) {
      throw new UserException("a rank cannot be on CUDA device %d: from 0 on".formatted(card));
    }
  }

  /** Whether the rank's memory is a card's. */
  public boolean onCard() {
    return card != CPU;
  }

  /** Such as {@code CPU}, or {@code CUDA device 1 of node-2}. */
  @Override
  public String toString() {
    String place = onCard() ? "CUDA device " + card : "CPU";
    return process.isEmpty() ? place : place + " of " + process;
  }
}
