package roll.parallel.collective;

/**
 * Where whoever opens a group stands.
 *
 * @param process the name of this process, as in {@link RankLocation#process}
 * @param rendezvous how its ranks reach those of other processes
 */
public record LocalProcess(String process, Rendezvous rendezvous) {
  /** The one process of a run that has no other. */
  public static LocalProcess alone() {
    return new LocalProcess("", Rendezvous.local());
  }
}
